"""Every calibration measure of a family, with two intervals: over its members, and over the test examples.

The first says what another seed would give, on these very examples; the second what other test examples would
give, for these very members. Neither contains the other.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.draws import generator
from holdfast.measure.answer_sums import answer_sums, graded
from holdfast.measure.calibration import brier_each, count_bin, nll_each
from holdfast.measure.reduce import Interval, Spread, spread

DRAWS, BINS = 400, 10
Sums = Mapping[str, Float[Tensor, "R S"]]


class Measured(NamedTuple):
    """One measure: of each member with the interval of their mean, and the interval over test examples."""

    members: Spread
    examples: Interval


def miscalibration(
    probabilities: Float[Tensor, "M K C"],
    targets: Int[Tensor, "K"],
    examples: int | None = None,
    classes: bool = True,
    bins: int = BINS,
) -> dict[str, Measured]:
    """ECE, over-confidence, MCE, ACE, NLL and Brier of a family.

    The K answers may be of fewer ``examples``, each with as many in a row, which are then drawn together. ACE
    is left out where answers are no ``classes``. Intervals over examples are a basic bootstrap of the mean
    over members, ``2θ − θ*``, in 400 draws: it takes back what an ECE gains from noise, twice in a draw, and
    is widened to contain θ where that is more than its width. Bins of equal count stay those of all examples.

    >>> p = torch.tensor([[[0.25, 0.75]] * 4] * 2)
    >>> measured = miscalibration(p, torch.tensor([1, 1, 0, 0]))
    >>> measured["overconfidence"].members.mean, measured["ece"].members.mean
    (0.25, 0.25)
    """
    n = len(targets) if examples is None else examples
    draws = _draws(n).to(probabilities.device)
    each: dict[str, list[Tensor]] = {}
    for member in probabilities:
        tables = _tables(member, targets.to(member.device), n, bins, classes)
        sums = {name: draws @ table for name, table in tables.items()}
        for name, measure in MEASURES.items():
            if name != "ace" or classes:
                each.setdefault(name, []).append(measure(sums))
    return {name: _measured(torch.stack(values).cpu()) for name, values in each.items()}


def _draws(n: int) -> Float[Tensor, "R n"]:
    """How often each example is drawn: once in the first row, by lot in the others."""
    lots = torch.randint(n, (DRAWS, n), generator=generator(None, "bootstrap", n))
    counts = torch.zeros(DRAWS, n, dtype=torch.float64)
    counts.scatter_add_(1, lots, torch.ones(DRAWS, n, dtype=torch.float64))
    return torch.cat([torch.ones(1, n, dtype=torch.float64), counts])


def _tables(
    probabilities: Tensor, targets: Tensor, examples: int, bins: int, classes: bool
) -> dict[str, Float[Tensor, "n S"]]:
    """What the measures sum over examples: gaps and counts by bin, and what is a mean anyway."""
    sums = answer_sums(graded(probabilities, targets, bins), examples, bins)
    each = {"nll": nll_each(probabilities, targets), "brier": brier_each(probabilities, targets)}
    tables = {name: values.view(examples, -1).sum(1, keepdim=True) for name, values in each.items()}
    if classes:
        tables |= _class_tables(probabilities, targets, examples, bins)
    return tables | {"gap": sums.gap, "count": sums.number}


def _class_tables(
    probabilities: Tensor, targets: Tensor, examples: int, bins: int
) -> dict[str, Float[Tensor, "n S"]]:
    """The gaps of each class's probability in its bins of equal count, and the number of classes."""
    truth = torch.nn.functional.one_hot(targets, probabilities.shape[-1])
    inside = torch.nn.functional.one_hot(count_bin(probabilities, bins), bins).double()
    gaps = (inside * (truth - probabilities.double())[..., None]).flatten(1)
    number = gaps.new_full((len(gaps), 1), probabilities.shape[-1])
    by_name = {"class_gap": gaps, "classes": number}
    return {name: table.view(examples, -1, table.shape[1]).sum(1) for name, table in by_name.items()}


def _total(sums: Sums) -> Float[Tensor, "R"]:
    return sums["count"].sum(-1)


MEASURES: dict[str, Callable[[Sums], Float[Tensor, "R"]]] = {
    "ece": lambda sums: sums["gap"].abs().sum(-1) / _total(sums),
    "overconfidence": lambda sums: -sums["gap"].sum(-1) / _total(sums),
    "mce": lambda sums: (sums["gap"].abs() / sums["count"].clamp(min=1)).max(-1).values,
    "ace": lambda sums: sums["class_gap"].abs().sum(-1) / sums["classes"][:, 0],
    "nll": lambda sums: sums["nll"][:, 0] / _total(sums),
    "brier": lambda sums: sums["brier"][:, 0] / _total(sums),
}
"""Each measure of one member from its sums, for every draw of examples."""


def _measured(values: Float[Tensor, "M R"]) -> Measured:
    mean = values.mean(0)
    value, drawn = mean[0].item(), mean[1:]
    low, high = (2 * value - end for end in drawn.quantile(torch.tensor([0.975, 0.025]).double()).tolist())
    return Measured(spread(values[:, 0]), Interval(value, min(low, value), max(high, value), len(values)))
