"""The contracts of probes: change the input in the order of the scores, or the attention, and watch the
prediction."""

import math
from abc import ABC, abstractmethod
from typing import ClassVar, Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Trace
from holdfast.core.settings import label
from holdfast.models.run import Run

Watched = Literal["probability", "evidence"]


class AnyProbe(ABC):  # noqa: B024 - what the catalogue calls a probe
    """A change of the input, or of what a model makes of it, and how far the prediction moves."""


class Probe(AnyProbe):
    """Faithfulness: if scores are right, changing what they point at changes the prediction most.

    What is changed together (a patch, a step, a word, an item) is one *part*. A probe is written for one
    member and is safe under ``vmap``. ``higher_is_better`` says whether scores that are right make its
    :meth:`drop` large, ``bounds`` between what every drop lies.
    """

    higher_is_better: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = (-math.inf, math.inf)

    @property
    def measured(self) -> str:
        """What its :meth:`drop` is, in words for a table."""
        return "fall of the prediction"

    @abstractmethod
    def parts(self, batch: Batch, scores: Float[Tensor, "*M B P"]) -> Float[Tensor, "*M B K"]:
        """One score for each part; −inf for parts that do not exist."""

    @abstractmethod
    def curve(
        self, run: Run, batch: Batch, parts: Float[Tensor, "B K"], target: Int[Tensor, "B"]
    ) -> Float[Tensor, "B S"]:
        """The prediction of the target after each step, the untouched input first."""

    def orders(
        self, run: Run, batch: Batch, parts: Float[Tensor, "O B K"], target: Int[Tensor, "B"]
    ) -> Float[Tensor, "O B S"]:
        """The curves of the same examples in several orders; a probe that has a faster way says it here."""
        row = torch.arange(len(batch), device=parts.device).repeat(len(parts))
        curves = self.curve(run, batch.take(row), parts.flatten(0, 1), target[row])
        return torch.unflatten(curves, 0, (len(parts), len(batch)))

    def alone(self, run: Run, batch: Batch, target: Int[Tensor, "B"]) -> Float[Tensor, "B K"] | None:
        """How far the prediction falls without each part by itself, −inf for parts that do not exist; None
        where a probe cannot say."""
        return None

    def drop(self, curve: Float[Tensor, "*I S"]) -> Float[Tensor, "*I"]:
        """How far the prediction falls, mean over the steps: ``f(x) − mean f(x changed)``."""
        return (curve[..., :1] - curve[..., 1:]).mean(-1)

    def unflipped(self, curve: Float[Tensor, "*I S"]) -> Float[Tensor, "*I"] | None:
        """The share of the steps at which no change was enough to flip the prediction; None of a probe that
        looks for no flip."""
        return None


class MapProbe(AnyProbe):
    """Does attention matter? Its maps are changed, the rest of the pass stays as it is.

    ``quantity`` is what the rows of its table are called; a probe of many small steps wants ``together`` so
    many examples or more in a batch. ``batch.rows`` name the examples, so that what is drawn for one depends
    on no other. Written for one member and safe under ``vmap``. A model that does not attend is refused.
    """

    quantity: ClassVar[str]
    together: ClassVar[int] = 1

    @abstractmethod
    def effect(self, run: Run, batch: Batch) -> Float[Tensor, "B"]:
        """One number for each example, 0 where nothing moves."""

    def check(self, run: Run, trace: Trace) -> None:
        """Refuse a model without attention."""
        if not trace.attention:
            raise BadSetting(f"{label(self)}: expected a model with attention, but got one without")


def watch(
    run: Run, logits: Float[Tensor, "B C"], target: Int[Tensor, "B"], of: Watched
) -> Float[Tensor, "B"]:
    """The target's probability among the classes, or its evidence."""
    table = logits.softmax(-1) if of == "probability" else run.evidence(logits)
    return table.gather(-1, target[:, None])[:, 0]
