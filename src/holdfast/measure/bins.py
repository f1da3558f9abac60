"""Instances in bins, by confidence, by length or by label: where does an explanation hold?"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting


class Bin(NamedTuple):
    """Some instances: their label, their place on an axis, and which they are. Never empty."""

    label: str
    at: float
    mask: Bool[Tensor, "B"]


def confidence_bin(probability: Float[Tensor, "..."], bins: int = 10) -> Int[Tensor, "..."]:
    """The bin of each probability; bins are closed below, and 1.0 belongs to the last one.

    >>> confidence_bin(torch.tensor([0.0, 0.3, 0.99, 1.0]))
    tensor([0, 3, 9, 9])
    """
    # 0.3 / 0.1 is slightly below 3 in binary, and float32 is coarser still.
    return (probability.double() * bins + 1e-6).floor().long().clamp(0, bins - 1)


def by_confidence(probability: Float[Tensor, "B"], bins: int = 10) -> list[Bin]:
    """Bins of equal width by mean predicted probability (Jain §4.1.1: 0.1 wide), named by their lower end.

    >>> [(bin.label, round(bin.at, 2)) for bin in by_confidence(torch.tensor([0.05, 0.42, 1.0]))]
    [('0.0', 0.05), ('0.4', 0.45), ('0.9', 0.95)]
    """
    if bins < 1:
        raise BadSetting(f"expected at least 1 bin, but got {bins}")
    which = confidence_bin(probability, bins)
    digits = 1 if bins <= 10 else 2
    made = (Bin(f"{i / bins:.{digits}f}", (i + 0.5) / bins, which == i) for i in range(bins))
    return _filled(made)


def by_length(lengths: Int[Tensor, "B"], starts: Sequence[int] | None = None, bins: int = 4) -> list[Bin]:
    """Bins by number of positions: they begin at ``starts``, or by default are about ``bins`` of equal size.

    >>> [bin.label for bin in by_length(torch.tensor([1, 3, 5, 9]), starts=(1, 4))]
    ['1–3', '5–9']
    """
    if starts is None:
        parts = torch.arange(bins, dtype=torch.float64) / bins
        cuts = torch.unique(lengths.double().quantile(parts.to(lengths.device), interpolation="higher"))
    else:
        cuts = torch.tensor(sorted(starts), dtype=torch.float64)
    which = torch.bucketize(lengths.double(), cuts.to(lengths.device), right=True)
    return _filled(_length_bin(lengths, which == i) for i in range(len(cuts) + 1))


def by_label(targets: Int[Tensor, "B"], classes: Sequence[str]) -> list[Bin]:
    """One bin for each class.

    >>> [bin.label for bin in by_label(torch.tensor([1, 1, 0]), ("bad", "good", "unseen"))]
    ['bad', 'good']
    """
    return _filled(Bin(name, float(i), targets == i) for i, name in enumerate(classes))


def _length_bin(lengths: Tensor, mask: Tensor) -> Bin:
    some = lengths[mask].double()
    if len(some) == 0:
        return Bin("", 0.0, mask)
    low, high = int(some.min()), int(some.max())
    return Bin(str(low) if low == high else f"{low}–{high}", some.mean().item(), mask)


def _filled(bins: Iterable[Bin]) -> list[Bin]:
    return [bin for bin in bins if bin.mask.any()]
