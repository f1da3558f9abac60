"""Log-odds: what explainers explain of a classifier."""

from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor

Worth = Literal["score", "probability"]  # of what explainers may explain a part


def log_odds(logits: Float[Tensor, "B C"], target: Int[Tensor, "B"]) -> Float[Tensor, "B"]:
    """``log p/(1 − p)`` of the target class.

    Its gradient is the probability's, divided by p(1 − p): the same heat map, without the underflow of a
    saturated probability; and for two classes it is the logit, with the sign of the target.

    >>> log_odds(torch.tensor([[0.0, 2.0]]), torch.tensor([0]))
    tensor([-2.])
    """
    chosen = logits.gather(1, target[:, None])
    others = logits.scatter(1, target[:, None], -torch.inf)
    return chosen[:, 0] - others.logsumexp(1)
