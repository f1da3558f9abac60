"""Attention permutation: shuffle the weights among the positions, and see whether the prediction moves."""

from dataclasses import dataclass
from typing import Literal, get_args

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Edit, Site
from holdfast.core.settings import at_most
from holdfast.measure.probes.base import MapProbe
from holdfast.measure.shuffle import rotated, sources
from holdfast.models.odds import log_odds
from holdfast.models.run import Run

AT_ONCE = {"cpu": 2**21, "cuda": 2**25}  # weights
Of = Literal["probability", "log_odds"]
MOST, LAYERS = 10_000, 1_000


@dataclass(frozen=True)
class AttentionPermutation(MapProbe):
    """Mean change of the predicted class's probability when attention weights are shuffled (Jain & Wallace
    2019; Jain §3.3.2): ``mean_s |p(ŷ) − p_s(ŷ)|`` over ``shuffles``.

    Weights move among the positions that a query may attend to, in every map and for every query; the states
    that come before the first map are computed once. Near 0: the prediction would be the same whatever the
    weights point at. A probability near 0 or 1 hardly moves whatever happens to the log-odds; with
    ``of="log_odds"`` these are watched instead, which cannot saturate.
    """

    shuffles: int = 100
    of: Of = "probability"

    def __post_init__(self) -> None:
        if self.shuffles < 1:
            raise BadSetting(
                f"attention_permutation: expected shuffles of 1 or more, but got {self.shuffles}"
            )
        if self.of not in get_args(Of):
            raise BadSetting(
                f"attention_permutation: expected of to be probability or log_odds, but got {self.of}"
            )
        at_most("attention_permutation: expected shuffles", self.shuffles, MOST)

    @property
    def quantity(self) -> str:  # type: ignore[override]
        """Log-odds have no bound, so that they are another number."""
        return "permutation" if self.of == "probability" else "permutation_log_odds"

    def effect(self, run: Run, batch: Batch) -> Float[Tensor, "B"]:
        """Examples in pieces, as many shuffles of them at once as fit."""
        each = max(1, AT_ONCE[batch.mask.device.type] // (self.shuffles * batch.mask.shape[-1]))
        pieces = torch.split(torch.arange(len(batch), device=batch.mask.device), each)
        return torch.cat([self._effect(run, batch.take(some)) for some in pieces])

    def _effect(self, run: Run, batch: Batch) -> Float[Tensor, "B"]:
        states = run.encode(run.embed(batch), batch)
        trace = run.decide(states, batch)
        self.check(run, trace)
        predicted = trace.logits.argmax(-1, keepdim=True)
        if run.model.pools:
            logits = self._pooled(run, batch, states, trace.attention[0])
        else:
            doors = (Edit(attention=_Shuffled(batch, copy)) for copy in range(self.shuffles))
            logits = torch.stack([run.decide(states, batch, door).logits for door in doors])
        before, after = self._watched(trace.logits[None], predicted), self._watched(logits, predicted)
        return (after - before).abs().mean(0)

    def _pooled(
        self, run: Run, batch: Batch, states: Float[Tensor, "B T d"], weights: Float[Tensor, "B T"]
    ) -> Float[Tensor, "S B C"]:
        """Pooling knows no order, so that the states move to where the shuffled weights are; holes are 0."""
        rows, mask = _named(batch)
        maps, place = rotated(weights, mask, rows, self.shuffles)
        moved = (states * mask[..., None]).gather(1, place[..., None].expand_as(states))
        return run.attended(moved, batch.moved(place), maps.transpose(0, 1))

    def _watched(self, logits: Float[Tensor, "S B C"], which: Int[Tensor, "B 1"]) -> Float[Tensor, "S B"]:
        if self.of == "log_odds":
            many = len(logits)
            return log_odds(logits.flatten(0, 1), which[:, 0].repeat(many)).view(many, -1)
        which = which.expand(len(logits), *which.shape)
        if logits.shape[-1] == 2:  # many times faster than a softmax of two
            return (logits.gather(-1, which) - logits.gather(-1, 1 - which)).sigmoid()[..., 0]
        return logits.softmax(-1).gather(-1, which)[..., 0]


def _named(batch: Batch) -> tuple[Int[Tensor, "B"], Tensor]:
    assert batch.rows is not None
    return batch.rows, batch.mask


class _Shuffled:
    """The door through which one shuffle of every map goes; all queries of a map follow one random order."""

    def __init__(self, batch: Batch, copy: int) -> None:
        self.rows, self.copy = _named(batch)[0], copy

    def __call__(self, weights: Tensor, site: Site) -> Tensor:
        allowed = site.allowed.expand_as(weights).flatten(0, -2)
        drawn = (self.rows * LAYERS + site.layer) * MOST + self.copy
        each = drawn.repeat_interleave(len(allowed) // len(drawn))
        return weights.gather(-1, sources(allowed, each, 1)[0].view(weights.shape))
