"""How good the members are, and how much their predictions differ."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.errors import TooFewMembers
from holdfast.measure.bins import Bin, by_confidence
from holdfast.measure.reduce import Interval, Spread, jackknife, spread
from holdfast.train.objective import accuracy
from holdfast.train.objective import roc_auc as area


@dataclass(frozen=True)
class Quality:
    """Accuracy, F1 and ROC-AUC over members; no ROC-AUC where the truth has one class only.

    ``f1`` has the F1 of each class that occurs in the truth, by its number; ``macro_f1`` is the mean over
    these and, with 0, over classes that are only predicted.
    """

    accuracy: Spread
    macro_f1: Spread
    f1: dict[int, Spread]
    roc_auc: Spread | None


def quality(probabilities: Float[Tensor, "M N C"], targets: Int[Tensor, "N"]) -> Quality:
    """Every measure of every member, with mean, standard deviation and interval."""
    auc, each = roc_auc(probabilities, targets), f1(probabilities, targets)
    return Quality(
        spread(accuracy(probabilities, targets)),
        spread(macro_f1(probabilities, targets)),
        {c: spread(each[..., c]) for c in sorted(set(targets.tolist()))},
        None if auc is None else spread(auc),
    )


def f1(probabilities: Float[Tensor, "*M N C"], targets: Int[Tensor, "N"]) -> Float[Tensor, "*M C"]:
    """``2 TP / (2 TP + FP + FN)`` of each class; nan where a class neither occurs nor is predicted.

    >>> f1(torch.tensor([[0.2, 0.8], [0.9, 0.1]]), torch.tensor([1, 1]))
    tensor([0.0000, 0.6667], dtype=torch.float64)
    """
    classes = torch.arange(probabilities.shape[-1], device=probabilities.device)
    guess, truth = probabilities.argmax(-1)[..., None] == classes, targets[:, None] == classes
    hits = (guess & truth).sum(-2).double()
    return 2 * hits / (guess.sum(-2) + truth.sum(-2)).double()


def macro_f1(probabilities: Float[Tensor, "*M N C"], targets: Int[Tensor, "N"]) -> Float[Tensor, "*M"]:
    """The mean F1 of the classes that occur or are predicted.

    >>> macro_f1(torch.tensor([[0.2, 0.8], [0.9, 0.1]]), torch.tensor([1, 1]))
    tensor(0.3333, dtype=torch.float64)
    """
    return f1(probabilities, targets).nanmean(-1)


def roc_auc(probabilities: Float[Tensor, "*M N C"], targets: Int[Tensor, "N"]) -> Float[Tensor, "*M"] | None:
    """The chance that a positive example gets a higher probability than a negative one, ties counting ½.

    With two classes it is the same for both; with more it is one class against the rest, averaged over the
    classes that have positive and negative examples; None if no class has.

    >>> roc_auc(torch.tensor([[0.2, 0.8], [0.7, 0.3]]), torch.tensor([1, 0]))
    tensor(1., dtype=torch.float64)
    """
    classes = probabilities.shape[-1]
    parts = [_one_auc(probabilities[..., c], targets == c) for c in ([1] if classes == 2 else range(classes))]
    known = [part for part in parts if part is not None]
    return torch.stack(known).mean(0) if known else None


def deviation(probabilities: Float[Tensor, "M B"]) -> Float[Tensor, "B"]:
    """Standard deviation of the predicted probability over members, of the sample (÷ M − 1) (Jain §4.1.1).

    >>> deviation(torch.tensor([[0.25], [0.75]], dtype=torch.float64))
    tensor([0.3536], dtype=torch.float64)
    """
    if len(probabilities) < 2:
        raise TooFewMembers(f"deviation needs at least two members, but got {len(probabilities)}")
    return probabilities.double().std(0)


def mean_deviation(probabilities: Float[Tensor, "M B"], select: Bool[Tensor, "B"] | None = None) -> Interval:
    """The deviation averaged over (selected) instances, with its jackknife interval over members."""
    chosen = probabilities if select is None else probabilities[:, select.to(probabilities.device)]
    return jackknife(lambda keep: deviation(chosen[keep]).mean().item(), len(chosen))


def deviation_by_confidence(
    probabilities: Float[Tensor, "M B"], bins: int = 10
) -> list[tuple[Bin, Interval]]:
    """Deviation by mean predicted probability (Jain Figures 4.11 and 4.12), one entry for each filled bin."""
    filled = by_confidence(probabilities.double().mean(0), bins)
    return [(bin, mean_deviation(probabilities, bin.mask)) for bin in filled]


def _one_auc(scores: Tensor, truth: Tensor) -> Tensor | None:
    return area(scores.double(), truth.long()) if truth.any() and not truth.all() else None
