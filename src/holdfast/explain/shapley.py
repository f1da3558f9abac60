"""Shapley values."""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.explain.base import Explainer
from holdfast.explain.coalitions import coalitions
from holdfast.models.base import Model
from holdfast.models.odds import Worth
from holdfast.models.run import Run
from holdfast.train.seats import Size

Absent = Literal["hole", "column"]


@dataclass(frozen=True)
class Estimate:
    """Shapley values, their standard errors, and how many coalitions of each example were evaluated.

    ``empty`` and ``full`` are F of the empty and of the full coalition, a ``score`` or a ``probability``; the
    values add up to the difference.
    """

    values: Float[Tensor, "B T"]
    errors: Float[Tensor, "B T"]
    empty: Float[Tensor, "B"]
    full: Float[Tensor, "B"]
    evaluated: Int[Tensor, "B"]
    of: Worth


@dataclass(frozen=True)
class Shapley(Explainer):
    """``φ_i = Σ_{S∌i} s!(n − s − 1)!/n! · (F(S ∪ i) − F(S))``, F(S) the model's output on the positions in S.

    The players are the positions that exist. Up to 12 of them every coalition is evaluated; with more,
    ``samples`` coalitions in pairs (a coalition and its complement) enter the regression of Lundberg & Lee
    (2017), at least four for each player. Of trees and linear models over a table they follow from the
    structure, exactly, however many columns there are. The values always add up to F(all) − F(∅). All
    examples and members with as many players use the same coalitions, so that members do not differ by the
    luck of the draw.

    ``of``: F is the explained score (log-odds, or an item's score), or the target's probability among the
    candidates. ``absent``: a position outside S is a hole, or it is removed only as a column (key) of every
    attention map, as in Baumhauer, and still acts as a query. ``draw`` selects other coalitions. About
    ``chunk`` of them are computed at once.

    >>> Shapley(samples=256).samples
    256
    """

    signed: ClassVar[bool] = True
    batch: ClassVar[Size] = "single"

    samples: int = 1024
    of: Worth = "score"
    absent: Absent = "hole"
    draw: int = 0
    chunk: int = 1024

    def __post_init__(self) -> None:
        for field in ("samples", "chunk"):
            if getattr(self, field) < 1:
                raise BadSetting(
                    f"shapley: expected {field} to be at least 1, but got {getattr(self, field)}"
                )
        for field, known in (("of", Worth), ("absent", Absent)):
            if getattr(self, field) not in get_args(known):
                expected = " or ".join(get_args(known))
                raise BadSetting(
                    f"shapley: expected {field} to be {expected}, but got {getattr(self, field)}"
                )

    def scores(
        self,
        run: Run,
        batch: Batch,
        target: Int[Tensor, "B"],
        noise: Float[Tensor, "B T D"] | None = None,
    ) -> Float[Tensor, "B T ..."]:
        """The values; where a position is a strip of pixels, each pixel gets an equal part."""
        if self._is_exact(run.model):
            return run.shared_out(batch, target)
        values = self._solve(run, batch, target, errors=False)[0]
        pixels = batch.pixels
        each = (values / math.prod(pixels)).reshape(values.shape + (1,) * len(pixels))
        return each.expand(batch.inputs.shape)

    def seats(self, model: Model) -> Size:
        """Several examples at once cost little more than one where no coalition is asked."""
        return "small" if self._is_exact(model) else self.batch

    def explain(self, run: Run, batch: Batch, target: Int[Tensor, "B"]) -> Estimate:
        """The values with their standard errors."""
        players = batch.mask.sum(-1).tolist()
        evaluated = torch.tensor([2 + len(coalitions(n, self.samples, self.draw).members) for n in players])
        return Estimate(*self._solve(run, batch, target, errors=True), evaluated.to(target), self.of)

    def suits(self, run: Run, batch: Batch, target: Int[Tensor, "B"]) -> None:
        """Without attention, or where maps can only be read, there are no columns to remove."""
        if self.absent == "column" and not run(batch).attention:
            raise BadSetting(
                "shapley: expected a model with attention for absent=column, but got one without: "
                "choose absent=hole"
            )
        if self.absent == "column" and run.model.unedited:
            raise BadSetting(
                "shapley: expected a model whose attention can be edited for absent=column, but got one "
                "whose own maps can only be read: choose absent=hole"
            )

    def _is_exact(self, model: Model) -> bool:
        return model.exact and (self.of, self.absent) == ("score", "hole")

    def _solve(
        self, run: Run, batch: Batch, target: Int[Tensor, "B"], errors: bool
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Values, errors (0 unless ``errors``), and F of the empty and of the full coalition."""
        examples = [self._example(run, batch, target, row, errors) for row in range(len(batch))]
        values, spread, empty, full = (torch.stack(part) for part in zip(*examples, strict=True))
        return values, spread, empty, full

    def _example(
        self, run: Run, batch: Batch, target: Int[Tensor, "B"], row: int, errors: bool
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        only = torch.tensor([row], device=target.device)
        mask = batch.mask[row]
        place = mask.nonzero()[:, 0]
        drawn = coalitions(len(place), self.samples, self.draw)
        members = torch.cat([torch.zeros(1, len(place), dtype=torch.bool), drawn.members]).to(place.device)
        kept = torch.zeros(len(members) + 1, len(mask), dtype=torch.bool, device=place.device)
        kept[:-1, place], kept[-1, place] = members, True
        worth = self._worth(run, batch.take(only), target[only], kept)
        dtype, worth = worth.dtype, worth.double()
        empty, inner, full = worth[:1], worth[None, 1:-1], worth[-1:]
        values = drawn.values(inner, empty, full)
        spread = drawn.errors(inner, empty, full, values) if errors else torch.zeros_like(values)
        wide = values.new_zeros(2, len(mask)).index_put(
            (torch.arange(2, device=place.device)[:, None], place), torch.cat([values, spread])
        )
        values, spread = wide.to(dtype).unbind(0)
        return values, spread, empty[0], full[0]

    def _worth(
        self, run: Run, example: Batch, target: Int[Tensor, "1"], kept: Bool[Tensor, "S T"]
    ) -> Float[Tensor, "S"]:
        """F of every coalition."""
        worth = []
        for chunk in torch.tensor_split(kept, max(1, round(len(kept) / self.chunk))):
            worth.append(run.worth(example, target, chunk, self.of, self.absent == "column"))
        return torch.cat(worth)
