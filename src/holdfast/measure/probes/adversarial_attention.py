"""Adversarial attention: other weights, as far away as can be, that leave the prediction where it was."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.func import grad

from holdfast.core.compare.jensen_shannon import JensenShannon
from holdfast.core.draws import uniform
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.core.settings import at_most, label
from holdfast.measure.probes.base import MapProbe
from holdfast.models.layers import masked_softmax
from holdfast.models.run import Run

DECAYS, SMALL = (0.9, 0.999), 1e-8  # of Adam (Kingma & Ba 2015)
PENALTY = 50.0  # for each unit of total variation beyond the bound
START = 0.1  # how far from the model's own weights: there the gradient of their distance is 0


class Adversary(NamedTuple):
    """The farthest weights that were found, how far they are (Jensen–Shannon, nats), and by how much the
    prediction moves (total variation)."""

    weights: Float[Tensor, "B T"]
    distance: Float[Tensor, "B"]
    moved: Float[Tensor, "B"]


@dataclass(frozen=True)
class AdversarialAttention(MapProbe):
    """The largest Jensen–Shannon divergence, from 0 to log 2 ≈ 0.69, between a model's attention and other
    weights under which its prediction moves by at most ``most`` (total variation; Jain & Wallace 2019).

    Found by ``steps`` of Adam on the logits of the weights, with a hinge for the bound; the farthest weights
    within the bound on the way count, so it is a lower bound of what exists. That such weights exist does
    not show that the model does not use its own (Wiegreffe & Pinter 2019). Only of models whose one map pools
    the states.
    """

    quantity: ClassVar[str] = "adversarial"
    together: ClassVar[int] = 32

    most: float = 0.01
    steps: int = 300
    rate: float = 0.2

    def __post_init__(self) -> None:
        for field, least in (("most", 0.0), ("rate", 0.0), ("steps", 0)):
            if not getattr(self, field) > least:
                came = getattr(self, field)
                raise BadSetting(f"adversarial_attention: expected {field} to be above 0, but got {came}")
        at_most("adversarial_attention: expected steps", self.steps, 100_000)

    def effect(self, run: Run, batch: Batch) -> Float[Tensor, "B"]:
        """How far away the adversary is."""
        return self.adversary(run, batch).distance

    def adversary(self, run: Run, batch: Batch) -> Adversary:
        """The farthest weights for each example; where none was found, its own."""
        states = run.encode(run.embed(batch), batch).detach()
        trace = run.decide(states, batch)
        self.check(run, trace)
        if not run.model.pools:
            raise BadSetting(f"{label(self)}: expected a model whose one attention map pools its states")
        weights, plain = trace.attention[0].detach(), trace.logits.softmax(-1).detach()
        mask, total = batch.mask & (weights > 0), weights.sum(-1, keepdim=True)
        compare, tiny = JensenShannon(), torch.finfo(weights.dtype).tiny
        own = torch.where(mask, compare.prepare(weights, mask, False), 1.0)

        def at(logits: Tensor) -> Adversary:
            other = masked_softmax(logits, mask)
            outcome = run.attended(states, batch, (other * total)[None])[0].softmax(-1)
            # 1 where there is nothing: that adds 0, and its gradient is a number
            far = compare.between(own, torch.where(mask, other.clamp(min=tiny), 1.0), mask)
            return Adversary(other * total, far, (outcome - plain).abs().sum(-1) / 2)

        def loss(logits: Tensor) -> tuple[Tensor, Adversary]:
            new = at(logits)
            return (PENALTY * (new.moved - self.most).clamp(min=0.0) - new.distance).sum(), new

        best = Adversary(weights, torch.zeros_like(total[:, 0]), torch.zeros_like(total[:, 0]))
        logits = weights.clamp(min=tiny).log() + START * _drawn(batch, weights)
        first, second = torch.zeros_like(logits), torch.zeros_like(logits)
        for step in range(1, self.steps + 1):
            slope, new = grad(loss, has_aux=True)(logits)
            best = _farther(best, new, self.most)
            first = DECAYS[0] * first + (1 - DECAYS[0]) * slope
            second = DECAYS[1] * second + (1 - DECAYS[1]) * slope.square()
            unbiased = first / (1 - DECAYS[0] ** step), second / (1 - DECAYS[1] ** step)
            logits = logits - self.rate * unbiased[0] / (unbiased[1].sqrt() + SMALL)
        return _farther(best, at(logits), self.most)


def _farther(best: Adversary, new: Adversary, most: float) -> Adversary:
    better: Bool[Tensor, B] = (new.moved <= most) & (new.distance > best.distance)
    return Adversary(
        torch.where(better[:, None], new.weights, best.weights),
        torch.where(better, new.distance, best.distance),
        torch.where(better, new.moved, best.moved),
    )


def _drawn(batch: Batch, like: Tensor) -> Float[Tensor, "B T"]:
    """Numbers in [−1, 1) for what exists, by row: neighbours and padding change none."""
    assert batch.rows is not None
    drawn = torch.zeros(batch.mask.shape, dtype=like.dtype)
    exists = batch.mask.cpu()
    for place, row in enumerate(batch.rows.tolist()):
        count = int(exists[place].sum())
        drawn[place, exists[place]] = uniform((count,), None, "adversary", row).to(drawn) * 2 - 1
    return drawn.to(like.device)
