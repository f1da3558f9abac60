"""Deletion: remove what scores point at, most relevant first, and see how fast predictions fall."""

import math
from dataclasses import dataclass, replace
from typing import Literal, NoReturn, get_args

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.compare.ranks import ranks
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.measure.probes.base import Probe, Watched, watch
from holdfast.models.run import Run

Fill = Literal["background", "hole"]
AT_ONCE = 2**18  # positions on a GPU


@dataclass(frozen=True)
class Deletion(Probe):
    """Parts are deleted one after the other, the highest score first (Samek et al. 2017).

    Parts are square patches of an image in strips, painted with ``background``; with ``fill="hole"`` they are
    whole steps or words, which then do not exist for any layer (the last one always stays). ``patch`` is the
    side of a patch in pixels, by default a quarter of the height; ``of`` is what is watched. As a setting:
    ``deletion:patch=2,of=evidence``, or for text ``deletion:fill=hole``.

    >>> Deletion(patch=2).parts(Batch(torch.zeros(1, 2, 4, 2), torch.ones(1, 2) > 0), torch.ones(1, 16))
    tensor([[4., 4., 4., 4.]])
    """

    patch: int | None = None
    steps: int = 12
    fill: Fill = "background"
    background: float = -1.0
    of: Watched = "probability"

    def __post_init__(self) -> None:
        for field, kind in (("fill", Fill), ("of", Watched)):
            if getattr(self, field) not in get_args(kind):
                self._refuse(field, " or ".join(get_args(kind)))
        if self.steps < 1:
            self._refuse("steps", "at least 1")
        if self.patch is not None and self.patch < 1:
            self._refuse("patch", "at least 1 pixel")
        if not math.isfinite(self.background):
            self._refuse("background", "a number")

    def parts(self, batch: Batch, scores: Float[Tensor, "*M B P"]) -> Float[Tensor, "*M B K"]:
        """The sum of the scores of each part."""
        shape = batch.inputs.shape[1:]
        if scores.shape[-1] != shape.numel():
            raise BadSetting(
                f"expected {shape.numel()} scores for each example, one for each position or pixel, "
                f"but got {scores.shape[-1]}"
            )
        if self.fill == "hole":
            steps = scores.reshape(*scores.shape[:-1], shape[0], -1).sum(-1)
            return torch.where(batch.mask, steps, -torch.inf)
        where = self._patches(batch)
        total = scores.new_zeros(*scores.shape[:-1], int(where.max()) + 1)
        return total.index_add(-1, where, scores)

    def curve(
        self, run: Run, batch: Batch, parts: Float[Tensor, "B K"], target: Int[Tensor, "B"]
    ) -> Float[Tensor, "B S"]:
        """The prediction with 0, 1, …, ``steps`` parts deleted; equal scores go in the order of position."""
        rank = ranks(parts)
        where = None if self.fill == "hole" else self._patches(batch)
        changed = (self._without(batch, rank, count, where) for count in self.counts(parts))
        return torch.stack([watch(run, run(each).logits, target, self.of) for each in changed], -1)

    def orders(
        self, run: Run, batch: Batch, parts: Float[Tensor, "O B K"], target: Int[Tensor, "B"]
    ) -> Float[Tensor, "O B S"]:
        """The same curves; what is left of an example in every order is one question to its model. A GPU, on
        which a small question costs as much as a large one, is asked about all examples together."""
        if self.fill == "background" or batch.mask.is_cuda:
            return super().orders(run, batch, parts, target)
        return torch.stack(
            [self._subsets(run, batch.take(row), parts[:, int(row)], target[row]) for row in _each(batch)], 1
        )

    def alone(self, run: Run, batch: Batch, target: Int[Tensor, "B"]) -> Float[Tensor, "B K"]:
        """Each part is deleted by itself."""
        none = self.parts(batch, batch.mask.new_zeros(batch.inputs.shape).flatten(1).float())
        if self.fill == "hole":
            falls = alone_together if batch.mask.is_cuda else alone_by_example
            return torch.where(none > -torch.inf, falls(run, batch, target, self.of), -torch.inf)
        each = torch.eye(none.shape[-1], device=none.device)[:, None] + none
        first = Deletion(self.patch, 1, self.fill, self.background, self.of)
        curves = first.orders(run, batch, each, target)
        return torch.where(none > -torch.inf, (curves[..., 0] - curves[..., 1]).T, -torch.inf)

    def _subsets(
        self, run: Run, one: Batch, parts: Float[Tensor, "O K"], target: Int[Tensor, "1"]
    ) -> Float[Tensor, "O S"]:
        """The curves of one example."""
        many, rank = one.map(lambda tensor: tensor.expand(len(parts), *tensor.shape[1:])), ranks(parts)
        kept = torch.stack([self._without(many, rank, n, None).mask for n in self.counts(parts)], 1)
        # orders that agree on what goes first leave the same words
        once, which = torch.unique(kept.flatten(0, 1), dim=0, return_inverse=True)
        watched = watch(run, run.subsets(one, once), target.expand(len(once)), self.of)
        return torch.unflatten(watched[which], 0, kept.shape[:2])

    def counts(self, parts: Float[Tensor, "B K"]) -> list[Int[Tensor, "B 1"]]:
        """How many parts of each example are deleted at each step."""
        return [torch.full_like(parts[:, :1], step, dtype=torch.long) for step in range(self.steps + 1)]

    def _without(self, batch: Batch, rank: Tensor, count: Int[Tensor, "B 1"], where: Tensor | None) -> Batch:
        if where is None:
            last = batch.mask.sum(-1, keepdim=True) - 1
            return replace(batch, mask=batch.mask & (rank >= torch.minimum(last, count)))
        gone = (rank < count)[:, where].reshape(batch.inputs.shape)
        return replace(batch, inputs=torch.where(gone, self.background, batch.inputs))

    def _refuse(self, field: str, expected: str) -> NoReturn:
        raise BadSetting(f"deletion: expected {field} to be {expected}, but got {getattr(self, field)}")

    def _patches(self, batch: Batch) -> Int[Tensor, "P"]:
        """Which patch each pixel belongs to, pixels in the order of strips."""
        if not batch.pixels:
            raise BadSetting(
                "expected images in strips to cut into patches, but got text: use fill=hole, which deletes "
                "whole words"
            )
        steps, height, width = batch.inputs.shape[1:]
        side = self.patch or max(1, height // 4)
        device = batch.inputs.device
        down = torch.arange(height, device=device) // side
        along = torch.arange(steps * width, device=device).view(steps, 1, width) // side
        return (down[:, None] * -(-steps * width // side) + along).flatten()


def alone_by_example(run: Run, batch: Batch, target: Int[Tensor, "B"], of: Watched) -> Float[Tensor, "B T"]:
    """How far the prediction falls without each word or step, elsewhere 0: one question for each example,
    whose last one stays."""
    falls = []
    for row in _each(batch):
        one, places = batch.take(row), batch.mask[int(row)].nonzero()[:, 0]
        count = len(places) if len(places) > 1 else 0
        kept = one.mask.repeat(count + 1, 1)
        kept[torch.arange(count), places[:count]] = False
        watched = watch(run, run.subsets(one, kept), target[row].expand(count + 1), of)
        falls.append(watched.new_zeros(len(one.mask[0])))
        falls[-1][places[:count]] = watched[-1] - watched[:-1]
    return torch.stack(falls)


def alone_together(run: Run, batch: Batch, target: Int[Tensor, "B"], of: Watched) -> Float[Tensor, "B T"]:
    """The same of all examples, as many at once as fit on a GPU."""
    whole = watch(run, run(batch).logits, target, of)
    falls = whole.new_zeros(batch.mask.shape)
    several = batch.mask & (batch.mask.sum(-1, keepdim=True) > 1)
    places, most = several.nonzero(), max(1, AT_ONCE // batch.mask.shape[-1])
    for start in range(0, len(places), most):
        row, place = places[start : start + most].unbind(1)
        many = batch.take(row)
        here = torch.arange(batch.mask.shape[-1], device=place.device) == place[:, None]
        left = replace(many, mask=many.mask & ~here)
        falls[row, place] = whole[row] - watch(run, run(left).logits, target[row], of)
    return falls


def _each(batch: Batch) -> Int[Tensor, "B 1"]:
    """The examples of a batch, one by one."""
    return torch.arange(len(batch), device=batch.mask.device)[:, None]


def aopc(curve: Float[Tensor, "*I S"]) -> Float[Tensor, "*I"]:
    """Area over the perturbation curve: ``1/(L + 1) Σ_{k=0…L} (f(x₀) − f(x_k))`` (Samek et al. 2017).

    >>> aopc(torch.tensor([1.0, 0.5, 0.0]))
    tensor(0.5000)
    """
    return (curve[..., :1] - curve).mean(-1)
