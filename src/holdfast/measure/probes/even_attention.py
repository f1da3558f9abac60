"""Even attention: the same weight on every position, and how far the prediction moves."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float
from torch import Tensor

from holdfast.core.records import Batch, Edit, Site
from holdfast.measure.probes.base import MapProbe
from holdfast.models.run import Run


@dataclass(frozen=True)
class EvenAttention(MapProbe):
    """Change of the predicted class's probability when a trained model's attention is made even: what its
    attention does beyond averaging (the control of Wiegreffe & Pinter 2019).

    Each map keeps its sum.
    """

    quantity: ClassVar[str] = "even_attention"

    def effect(self, run: Run, batch: Batch) -> Float[Tensor, "B"]:
        """``|p(ŷ) − p_even(ŷ)|``."""
        states = run.encode(run.embed(batch), batch)
        trace = run.decide(states, batch)
        self.check(run, trace)
        plain, changed = (
            logits.softmax(-1)
            for logits in (trace.logits, run.decide(states, batch, Edit(attention=even)).logits)
        )
        predicted = plain.argmax(-1, keepdim=True)
        return (changed.gather(-1, predicted) - plain.gather(-1, predicted)).abs()[:, 0]


def even(weights: Float[Tensor, "*B T"], site: Site) -> Float[Tensor, "*B T"]:
    """The same sum, spread evenly over what may be attended to.

    >>> import torch
    >>> even(torch.tensor([[0.7, 0.3, 0.0]]), Site(0, "pool", torch.tensor([[True, True, False]])))
    tensor([[0.5000, 0.5000, 0.0000]])
    """
    allowed = site.allowed.expand_as(weights)
    return weights.sum(-1, keepdim=True) * allowed / allowed.sum(-1, keepdim=True).clamp(min=1)
