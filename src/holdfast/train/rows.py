"""The rows of a training split, on the device where training reads them."""

import torch
from jaxtyping import Int
from torch import Tensor
from torch.utils import _pytree as pytree

from holdfast.core.records import Batch, Member
from holdfast.data.base import Split
from holdfast.train.evaluate import typed
from holdfast.train.schedule import Bucket, buckets


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
