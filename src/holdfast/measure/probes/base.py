"""The contract of a probe: change the input in the order of the scores, and watch the prediction."""

from abc import ABC, abstractmethod
from typing import Literal

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Batch, Trace
from holdfast.models.base import Run

Watched = Literal["probability", "evidence"]


class Probe(ABC):
    """Faithfulness: if scores are right, changing what they point at changes the prediction most.

    What is changed together (a patch, a step, a word, an item) is one *part*. A probe is written for one
    member and is safe under ``vmap``.
    """

    @abstractmethod
    def parts(self, batch: Batch, scores: Float[Tensor, "*M B P"]) -> Float[Tensor, "*M B K"]:
        """One score for each part; −inf for parts that do not exist."""

    @abstractmethod
    def curve(
        self, run: Run, batch: Batch, parts: Float[Tensor, "B K"], target: Int[Tensor, "B"]
    ) -> Float[Tensor, "B S"]:
        """The prediction of the target after each step, the untouched input first."""


def watch(run: Run, trace: Trace, target: Int[Tensor, "B"], of: Watched) -> Float[Tensor, "B"]:
    """The target's probability among the classes, or its evidence."""
    table = trace.logits.softmax(-1) if of == "probability" else run.evidence(trace.logits)
    return table.gather(-1, target[:, None])[:, 0]
