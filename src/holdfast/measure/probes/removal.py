"""What probes share that take parts of the input away and watch the prediction."""

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Literal, NoReturn, get_args

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.compare.ranks import ranks
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.core.settings import name_of
from holdfast.measure.probes.alone import alone_by_example, alone_together, each_example
from holdfast.measure.probes.base import Probe, Watched, watch
from holdfast.models.run import Run

Fill = Literal["background", "hole"]
WATCHED = {"probability": "fall of the probability", "evidence": "fall of the evidence (logit)"}


@dataclass(frozen=True)
class Removal(Probe):
    """Some parts stay at each step, the others are taken away.

    Parts are square patches of an image in strips, painted with ``background``; with ``fill="hole"`` they are
    whole steps, words or items, which then do not exist for any layer. ``patch`` is the side of a patch in
    pixels, by default a quarter of the height; ``of`` is what is watched.
    """

    patch: int | None = None
    fill: Fill = "background"
    background: float = -1.0
    of: Watched = "probability"

    def __post_init__(self) -> None:
        for field, kind in (("fill", Fill), ("of", Watched)):
            if getattr(self, field) not in get_args(kind):
                self._refuse(field, " or ".join(get_args(kind)))
        if self.patch is not None and self.patch < 1:
            self._refuse("patch", "at least 1 pixel")
        if not math.isfinite(self.background):
            self._refuse("background", "a number")

    @property
    def measured(self) -> str:
        """The fall of the probability or of the evidence."""
        return WATCHED[self.of]

    @abstractmethod
    def stay(self, parts: Float[Tensor, "*I K"]) -> Bool[Tensor, "*I S K"]:
        """Which parts are left at each step: first all that exist."""

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
        where = patches(batch, self.patch)
        total = scores.new_zeros(*scores.shape[:-1], int(where.max()) + 1)
        return total.index_add(-1, where, scores)

    def curve(
        self, run: Run, batch: Batch, parts: Float[Tensor, "B K"], target: Int[Tensor, "B"]
    ) -> Float[Tensor, "B S"]:
        """The prediction with what is left at each step; equal scores go in the order of position."""
        return self._curve(run, batch, self.stay(parts), target)

    def orders(
        self, run: Run, batch: Batch, parts: Float[Tensor, "O B K"], target: Int[Tensor, "B"]
    ) -> Float[Tensor, "O B S"]:
        """The same curves; what is left of an example in every order is one question to its model. A GPU, on
        which a small question costs as much as a large one, is asked about all examples together."""
        if self.fill == "background" or batch.mask.is_cuda:
            return super().orders(run, batch, parts, target)
        stay = self.stay(parts)
        each = (self._subsets(run, batch.take(b), stay[:, int(b)], target[b]) for b in each_example(batch))
        return torch.stack(list(each), 1)

    def alone(self, run: Run, batch: Batch, target: Int[Tensor, "B"]) -> Float[Tensor, "B K"]:
        """Each part is taken away by itself; the last hole stays."""
        none = self.parts(batch, batch.mask.new_zeros(batch.inputs.shape).flatten(1).float())
        exist = none > -torch.inf
        if self.fill == "hole":
            falls = alone_together if batch.mask.is_cuda else alone_by_example
            return torch.where(exist, falls(run, batch, target, self.of), -torch.inf)
        rest = torch.eye(none.shape[-1], device=none.device) == 0
        stay = torch.stack((torch.ones_like(rest), rest), 1).repeat_interleave(len(batch), 0)
        row = torch.arange(len(batch), device=none.device).repeat(len(rest))
        curves = self._curve(run, batch.take(row), stay, target[row])
        return (curves[:, 0] - curves[:, 1]).view(len(rest), len(batch)).T

    def without_first(
        self, parts: Float[Tensor, "*I K"], counts: list[Int[Tensor, "*I 1"]]
    ) -> Bool[Tensor, "*I S K"]:
        """All parts, then what is left when so many of the highest are gone; the last hole stays."""
        rank, exist = ranks(parts), parts > -torch.inf
        most = exist.sum(-1, keepdim=True) - (1 if self.fill == "hole" else 0)
        return torch.stack([exist, *(exist & (rank >= torch.minimum(most, count)) for count in counts)], -2)

    def _curve(
        self, run: Run, batch: Batch, stay: Bool[Tensor, "B S K"], target: Int[Tensor, "B"]
    ) -> Float[Tensor, "B S"]:
        where = None if self.fill == "hole" else patches(batch, self.patch)
        changed = (self._left(batch, kept, where) for kept in stay.unbind(-2))
        return torch.stack([watch(run, run(each).logits, target, self.of) for each in changed], -1)

    def _subsets(
        self, run: Run, one: Batch, kept: Bool[Tensor, "O S K"], target: Int[Tensor, "1"]
    ) -> Float[Tensor, "O S"]:
        """The curves of one example; choices that leave the same words are one."""
        once, which = torch.unique(kept.flatten(0, 1), dim=0, return_inverse=True)
        watched = watch(run, run.subsets(one, once), target.expand(len(once)), self.of)
        return torch.unflatten(watched[which], 0, kept.shape[:2])

    def _left(self, batch: Batch, kept: Bool[Tensor, "B K"], where: Tensor | None) -> Batch:
        if where is None:
            return replace(batch, mask=batch.mask & kept)
        pixels = kept[:, where].reshape(batch.inputs.shape)
        return replace(batch, inputs=torch.where(pixels, batch.inputs, self.background))

    def _refuse(self, field: str, expected: str) -> NoReturn:
        came = getattr(self, field)
        raise BadSetting(f"{name_of(type(self))}: expected {field} to be {expected}, but got {came}")


def patches(batch: Batch, patch: int | None) -> Int[Tensor, "P"]:
    """Which square of this side each pixel belongs to, pixels in the order of strips; by default the side is
    a quarter of the height.

    >>> strips = Batch(torch.zeros(1, 2, 4, 2), torch.ones(1, 2, dtype=torch.bool))
    >>> patches(strips, 2).view(2, 4, 2)[1].tolist()
    [[1, 1], [1, 1], [3, 3], [3, 3]]
    """
    if not batch.pixels:
        raise BadSetting(
            "expected images in strips to cut into patches, but got text: use fill=hole, which deletes "
            "whole words"
        )
    steps, height, width = batch.inputs.shape[1:]
    side = patch or max(1, height // 4)
    device = batch.inputs.device
    down = torch.arange(height, device=device) // side
    along = torch.arange(steps * width, device=device).view(steps, 1, width) // side
    return (down[:, None] * -(-steps * width // side) + along).flatten()
