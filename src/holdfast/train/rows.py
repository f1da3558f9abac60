"""The rows of a training split, on the device where training reads them."""

from dataclasses import replace

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.utils import _pytree as pytree

from holdfast.core.records import Batch, Member
from holdfast.data.base import Split
from holdfast.train.evaluate import typed
from holdfast.train.schedule import Bucket, buckets


class TrainingRows:
    """The rows of each bucket. What is drawn for an epoch, all of them or their negatives, is each member's
    own, on a leading axis where there are several; the rest is shared by all members.

    Captured graphs read these very tensors, so that an epoch's draws are copied into them.
    """

    def __init__(
        self,
        split: Split,
        parts: tuple[Bucket, ...],
        rows: Int[Tensor, "M n"] | None,
        batch: int,
        members: tuple[Member, ...],
        negatives: int,
        like: Tensor,
    ) -> None:
        self.split, self.members, self.count, self.device = split, members, negatives, like.device
        self.epoch = 1
        self.buckets: list[Batch] = []
        self.negatives: list[Tensor] = []
        if split.drawn:
            self.buckets = [drawn_rows(split, members, self.epoch, negatives, self.device)]
            return
        self.buckets = fixed_rows(split, parts, rows, batch, like)
        self.negatives = self._drawn_negatives(self.epoch)

    def refill(self, epoch: int) -> None:
        """Draw for an epoch what is drawn."""
        if epoch == self.epoch:
            return
        self.epoch = epoch
        if self.split.drawn:
            drawn = drawn_rows(self.split, self.members, epoch, self.count, self.device)
            refill(self.buckets[0], drawn)
        for old, new in zip(self.negatives, self._drawn_negatives(epoch), strict=True):
            old.copy_(new)

    def gathered(self, bucket: int, index: Int[Tensor, "*M B"], weight: Float[Tensor, "*M B"]) -> Batch:
        """The rows of a bucket at ``index``, with this step's weights."""
        batch = gathered(self.buckets[bucket], index, weight)
        if not self.negatives:
            return batch
        own = self.negatives[bucket]
        return replace(batch, negatives=own[index] if index.dim() == 1 else _of_each(own, index))

    def example(self, bucket: int, size: int) -> Batch:
        """As many rows as a step has, of one member: the first, repeated, as a bucket may have fewer."""
        batch, several = self.buckets[bucket], len(self.members) > 1
        if self.split.drawn and several:
            batch = batch.map(lambda tensor: tensor[0])
        if self.negatives:
            own = self.negatives[bucket]
            batch = replace(batch, negatives=own[0] if several else own)
        return batch.map(lambda tensor: tensor[:1].expand(size, *tensor.shape[1:]))

    def _drawn_negatives(self, epoch: int) -> list[Tensor]:
        """For the rows of each bucket; none where the split draws none, or everything."""
        if self.split.drawn:
            return []
        drawn = [self.split.negatives(member, epoch, self.count, self.device) for member in self.members]
        each = [tensor for tensor in drawn if tensor is not None]
        if not each:
            return []
        whole = each[0] if len(each) == 1 else torch.stack(each)
        rows = [bucket.rows for bucket in self.buckets if bucket.rows is not None]
        return [whole.index_select(whole.dim() - 3, some) for some in rows]


def fixed_rows(
    split: Split, parts: tuple[Bucket, ...], rows: Int[Tensor, "M n"] | None, batch: int, like: Tensor
) -> list[Batch]:
    """The rows of each bucket, with the dtype and device of ``like``."""
    # members with rows of their own take them from one bucket that holds every row
    parts = parts if rows is None else buckets(split.lengths, batch, padded=False)
    return [typed(split.batch(part.rows, part.length), like.dtype).to(like.device) for part in parts]


def drawn_rows(
    split: Split, members: tuple[Member, ...], epoch: int, negatives: int, device: torch.device
) -> Batch:
    """What each member drew for an epoch, on a leading axis where there are several."""
    batches = [split.fresh(member, epoch, negatives, device) for member in members]
    if len(members) == 1:
        return batches[0]
    flat, tree = zip(*(pytree.tree_flatten(batch) for batch in batches), strict=True)
    stacked = [torch.stack(tensors) for tensors in zip(*flat, strict=True)]
    return pytree.tree_unflatten(stacked, tree[0])  # type: ignore[no-any-return]


def refill(data: Batch, drawn: Batch) -> None:
    """Copy an epoch's rows into the buffers that captured graphs read."""
    for old, new in zip(pytree.tree_leaves(data), pytree.tree_leaves(drawn), strict=True):
        old.copy_(new)


def gathered(data: Batch, index: Int[Tensor, "*M B"], weight: Float[Tensor, "*M B"]) -> Batch:
    """The rows at ``index``, with this step's weights; from data with a member axis each member's own."""
    if data.mask.dim() == index.dim() + 1 and index.dim() == 2:
        rows = data.map(lambda tensor: _of_each(tensor, index))
    else:
        rows = data.take(index)
    return replace(rows, weight=weight.to(data.weight.dtype if data.weight is not None else None))


def _of_each(tensor: Tensor, index: Int[Tensor, "M B"]) -> Tensor:
    """From a member axis, each member's own."""
    return tensor[torch.arange(len(index), device=index.device)[:, None], index]
