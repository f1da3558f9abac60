"""Calibration: when the model says 80 %, is it right 80 % of the time?"""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.measure.bins import confidence_bin
from holdfast.measure.reduce import Spread, spread

FLOOR = 1e-12


@dataclass(frozen=True)
class Reliability:
    """Of each confidence bin: its middle, mean confidence and accuracy (0 if empty), number of examples."""

    at: Float[Tensor, "K"]
    confidence: Float[Tensor, "K"]
    accuracy: Float[Tensor, "K"]
    count: Int[Tensor, "K"]

    @property
    def gap(self) -> Float[Tensor, "K"]:
        """``|accuracy − confidence|`` of each bin."""
        return (self.accuracy - self.confidence).abs()


@dataclass(frozen=True)
class Calibration:
    """Calibration errors with their spread over members, and the reliability of all members together."""

    ece: Spread
    mce: Spread
    nll: Spread
    brier: Spread
    reliability: Reliability


def calibration(
    probabilities: Float[Tensor, "M N C"], targets: Int[Tensor, "N"], bins: int = 10
) -> Calibration:
    """Every calibration measure of every member."""
    each = [reliability(p, targets, bins) for p in probabilities]
    pooled = reliability(probabilities.flatten(0, 1), targets.repeat(len(probabilities)), bins)
    return Calibration(
        spread(torch.tensor([ece(r) for r in each], dtype=torch.float64)),
        spread(torch.tensor([mce(r) for r in each], dtype=torch.float64)),
        spread(torch.tensor([nll(p, targets) for p in probabilities], dtype=torch.float64)),
        spread(torch.tensor([brier(p, targets) for p in probabilities], dtype=torch.float64)),
        pooled,
    )


def reliability(
    probabilities: Float[Tensor, "N C"], targets: Int[Tensor, "N"], bins: int = 10
) -> Reliability:
    """Confidence (the largest probability) against accuracy, in bins of equal width (Jain §3.2).

    Bins are closed below, and a confidence of exactly 1.0 belongs to the last one.

    >>> p = torch.tensor([[0.0, 1.0], [0.25, 0.75]])
    >>> reliability(p, torch.tensor([1, 0]), bins=2).accuracy
    tensor([0.0000, 0.5000], dtype=torch.float64)
    """
    confidence, guess = probabilities.double().max(-1)
    which, right = confidence_bin(confidence, bins), (guess == targets).double()
    zero = confidence.new_zeros(bins)
    count = zero.index_add(0, which, torch.ones_like(confidence))
    share = count.clamp(min=1.0)
    return Reliability(
        (torch.arange(bins, device=zero.device) + 0.5).double() / bins,
        zero.index_add(0, which, confidence) / share,
        zero.index_add(0, which, right) / share,
        count.long(),
    )


def ece(curve: Reliability) -> float:
    """Expected calibration error: ``Σ (count / N) · |accuracy − confidence|`` (Guo et al. 2017)."""
    total = curve.count.sum().clamp(min=1)
    return (curve.count * curve.gap).sum().div(total).item()


def mce(curve: Reliability) -> float:
    """Maximum calibration error: the largest gap of any bin that has examples."""
    return torch.where(curve.count > 0, curve.gap, 0.0).max().item()


def nll(probabilities: Float[Tensor, "N C"], targets: Int[Tensor, "N"]) -> float:
    """Negative log likelihood of the truth in nats; probabilities below 1e-12 count as 1e-12.

    >>> round(nll(torch.tensor([[0.5, 0.5]]), torch.tensor([0])), 4)
    0.6931
    """
    return -_of_truth(probabilities, targets).clamp(min=FLOOR).log().mean().item()


def brier(probabilities: Float[Tensor, "N C"], targets: Int[Tensor, "N"]) -> float:
    """Brier score: mean of ``Σ_c (p_c − y_c)²``; for two classes half of it, the usual ``(p₁ − y)²``.

    >>> brier(torch.tensor([[0.5, 0.5]]), torch.tensor([0]))
    0.25
    """
    truth = torch.nn.functional.one_hot(targets, probabilities.shape[-1])
    squares = (probabilities.double() - truth).square().sum(-1).mean().item()
    return squares / 2 if probabilities.shape[-1] == 2 else squares


def _of_truth(probabilities: Tensor, targets: Tensor) -> Tensor:
    return probabilities.double().gather(-1, targets[:, None])[:, 0]
