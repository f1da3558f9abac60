"""Calibration: when the model says 80 %, is it right 80 % of the time?"""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.measure.bins import confidence_bin

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


def reliability(
    probabilities: Float[Tensor, "N C"], targets: Int[Tensor, "N"], bins: int = 10
) -> Reliability:
    """Confidence (the largest probability) against accuracy, in bins of equal width (Jain §3.3.1).

    Bins are closed below, and a confidence of exactly 1.0 belongs to the last one. Of two classes all
    confidences lie from 0.5 to 1.

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


def overconfidence(curve: Reliability) -> float:
    """``Σ (count / N) · (confidence − accuracy)``: above 0 the model is surer than it is right, below 0 it is
    less sure. Its size is at most the ECE, where gaps of both signs add up.

    >>> overconfidence(reliability(torch.tensor([[0.25, 0.75]] * 4), torch.tensor([1, 1, 0, 0])))
    0.25
    """
    total = curve.count.sum().clamp(min=1)
    return (curve.count * (curve.confidence - curve.accuracy)).sum().div(total).item()


def ace(probabilities: Float[Tensor, "N C"], targets: Int[Tensor, "N"], bins: int = 10) -> float:
    """Adaptive calibration error: the ECE of each class's probability in bins of equal count, averaged over
    classes (Nixon et al. 2019).

    ``1/C Σ_c Σ_r (count_r / N) · |share of class c − mean p_c|``. Counts of bins differ by one at most; equal
    probabilities stay in the order of the data. (netcal's ACE is the *average* calibration error of bins of
    equal width.)

    >>> ace(torch.tensor([[0.25, 0.75]] * 4), torch.tensor([1, 1, 0, 0]), bins=1)
    0.25
    """
    truth = torch.nn.functional.one_hot(targets, probabilities.shape[-1])
    gaps = truth - probabilities.double()
    sums = gaps.new_zeros(bins, gaps.shape[1]).scatter_add(0, count_bin(probabilities, bins), gaps)
    return sums.abs().sum(0).mean().div(len(targets)).item()


def count_bin(probabilities: Float[Tensor, "N C"], bins: int = 10) -> Int[Tensor, "N C"]:
    """The bin of each probability among those of its class, bins holding equally many.

    >>> count_bin(torch.tensor([[0.5], [0.2], [0.9], [0.7]]), 2)[:, 0]
    tensor([0, 0, 1, 1])
    """
    order = probabilities.double().argsort(dim=0, stable=True)
    places = torch.arange(len(order), device=order.device)[:, None].expand_as(order)
    ranks = torch.empty_like(order).scatter_(0, order, places)
    return ranks * bins // max(len(order), 1)


def calibrated_ece(probabilities: Float[Tensor, "N C"], bins: int = 10) -> float:
    """The ECE that a perfectly calibrated model with these confidences is expected to have on so few
    examples: ``Σ_bins √(2/π · Σ p (1 − p)) / N``, the mean size of a normal error.

    >>> round(calibrated_ece(torch.tensor([[0.5, 0.5]] * 100)), 4)
    0.0399
    """
    confidence = probabilities.double().max(-1).values
    spread = confidence.new_zeros(bins)
    spread = spread.index_add(0, confidence_bin(confidence, bins), confidence * (1 - confidence))
    return (spread * 2 / torch.pi).sqrt().sum().div(len(confidence)).item()


def nll(probabilities: Float[Tensor, "N C"], targets: Int[Tensor, "N"]) -> float:
    """Negative log likelihood of the truth in nats; probabilities below 1e-12 count as 1e-12.

    >>> round(nll(torch.tensor([[0.5, 0.5]]), torch.tensor([0])), 4)
    0.6931
    """
    return nll_each(probabilities, targets).mean().item()


def nll_each(probabilities: Float[Tensor, "N C"], targets: Int[Tensor, "N"]) -> Float[Tensor, "N"]:
    """Of each example."""
    return -probabilities.double().gather(-1, targets[:, None])[:, 0].clamp(min=FLOOR).log()


def brier(probabilities: Float[Tensor, "N C"], targets: Int[Tensor, "N"]) -> float:
    """Brier score: mean of ``Σ_c (p_c − y_c)²``; for two classes half of it, the usual ``(p₁ − y)²``.

    >>> brier(torch.tensor([[0.5, 0.5]]), torch.tensor([0]))
    0.25
    """
    return brier_each(probabilities, targets).mean().item()


def brier_each(probabilities: Float[Tensor, "N C"], targets: Int[Tensor, "N"]) -> Float[Tensor, "N"]:
    """Of each example."""
    truth = torch.nn.functional.one_hot(targets, probabilities.shape[-1])
    squares = (probabilities.double() - truth).square().sum(-1)
    return squares / 2 if probabilities.shape[-1] == 2 else squares
