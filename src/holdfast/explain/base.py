"""The contract of an explainer: a score per position, for one member and a target fixed beforehand."""

from abc import ABC, abstractmethod
from typing import ClassVar

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.models.base import Run


class Explainer(ABC):
    """Scores every position of every example.

    Written for one member with ``torch.func`` only, so that a family can map it. ``signed`` says that a
    negative score means "speaks against"; ``draws`` is how many uniform numbers it wants per position
    (0: it is deterministic). Masked positions score exactly 0.
    """

    signed: ClassVar[bool]
    draws: ClassVar[int] = 0

    @abstractmethod
    def scores(
        self,
        run: Run,
        batch: Batch,
        target: Int[Tensor, "B"],
        noise: Float[Tensor, "B T D"] | None = None,
    ) -> Float[Tensor, "B T"]:
        """The scores; ``noise`` is given when ``draws`` is not 0."""


def log_odds(logits: Float[Tensor, "B C"], target: Int[Tensor, "B"]) -> Float[Tensor, "B"]:
    """``log p/(1 − p)`` of the target class: what every explainer here explains.

    Its gradient is the probability's, divided by p(1 − p): the same heat map, without the underflow of a
    saturated probability; and for two classes it is the logit, with the sign of the target.

    >>> log_odds(torch.tensor([[0.0, 2.0]]), torch.tensor([0]))
    tensor([-2.])
    """
    chosen = logits.gather(1, target[:, None])
    others = logits.scatter(1, target[:, None], -torch.inf)
    return chosen[:, 0] - others.logsumexp(1)
