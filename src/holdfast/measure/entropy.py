"""How evenly attention is spread."""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.compare.distribution import distribution


def entropy(scores: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"]) -> Float[Tensor, "*I"]:
    """Entropy of scores as a distribution over the positions that exist, in bits: ``H = −Σ p log₂ p``
    (Baumhauer §4.2.1).

    0: all weight on one position; log₂ n: spread evenly over n. Weight on other positions (BERT4Rec's mask
    token) is left out first.

    >>> entropy(torch.tensor([0.25, 0.25, 0.25, 0.25]), torch.ones(4, dtype=torch.bool))
    tensor(2.)
    """
    p = distribution(scores, mask.expand_as(scores), signed=False)
    return (-torch.xlogy(p, p).sum(-1) / math.log(2)).clamp(min=0.0)
