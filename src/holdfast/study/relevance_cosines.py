"""The cosines of members on groups of images, and numbers made of them with what both would change.

Members (folds or seeds) are one choice of training, the images that they explain are another, and all members
explain the same images. So the error of a number comes from two jackknives: one leaves out a member, the
other a group of images, each from every cell at once, and their variances are added. What a member does with
an image of its own is counted in both: intervals are a little too wide rather than too narrow.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.measure.reduce import Interval, t_quantile
from holdfast.study.relevance_names import counted, majority, once, own
from holdfast.study.table import Row

GROUPS = 10  # of the explained images
GROUP = "group"  # rows by it: ``bin`` is the group, ``other`` the member, ``n`` how many images count
WHOLE = ""  # all images together
MEMBERS, BOTH = "members", "members and images"

Means = Float[Tensor, "D C X"]


class Estimate(NamedTuple):
    """Numbers with their standard errors and the degrees of freedom of those; no error where nothing can be
    left out. ``n`` counts members."""

    value: Float[Tensor, "P"]
    error: Float[Tensor, "P"] | None
    freedom: int
    n: int

    def interval(self, place: int = 0) -> Interval:
        """One of the numbers with its 95 % interval."""
        value = self.value[place].item()
        if self.error is None:
            return Interval(value, None, None, self.n)
        half = t_quantile(self.freedom) * self.error[place].item()
        return Interval(value, value - half, value + half, self.n)


@dataclass(frozen=True)
class Cosines:
    """For the data sets that have all of these cells and methods: the sum of the cosines of every member on
    every group of images, and how many images it is of; one group where a run has kept none."""

    data: tuple[str, ...]
    methods: tuple[str, ...]
    sums: Float[Tensor, "D C X M G"]
    counts: Float[Tensor, "D C X M G"]

    @property
    def over(self) -> str:
        """What intervals are over."""
        return MEMBERS if self.sums.shape[-1] == 1 else BOTH

    def at(self, place: int) -> "Cosines":
        """One of the data sets alone."""
        one = slice(place, place + 1)
        return replace(self, data=self.data[one], sums=self.sums[one], counts=self.counts[one])

    def estimate(self, number: Callable[[Means], Float[Tensor, "P"]]) -> Estimate:
        """What ``number`` makes of the mean cosines, with its error."""
        return two_jackknives(lambda m, g: number(self._means(m, g)), *self.sums.shape[-2:])

    def _means(self, members: Bool[Tensor, "M"], groups: Bool[Tensor, "G"]) -> Means:
        sums, counts = (table[..., members, :][..., groups].sum(-1) for table in (self.sums, self.counts))
        return (sums / counts).nanmean(-1)


def two_jackknives(
    number: Callable[[Bool[Tensor, "M"], Bool[Tensor, "G"]], Float[Tensor, "P"]], members: int, groups: int
) -> Estimate:
    """A number of members and groups of images, with the error of both choices: ``V = V_members + V_groups``,
    ``V_m = (m − 1)/m Σ (θ₋ᵢ − θ̄)²`` (Efron & Tibshirani 1993, ch. 11), degrees of freedom those of the fewer.

    ``number`` is given which to keep. One group is none: then over members alone.

    >>> table = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> found = two_jackknives(lambda m, g: table[m][:, g].mean()[None], 2, 2)
    >>> found.value.item(), round(found.error.item() ** 2, 3), found.freedom
    (2.5, 1.25, 1)
    """
    all_members, all_groups = torch.ones(members, dtype=torch.bool), torch.ones(groups, dtype=torch.bool)
    value = number(all_members, all_groups)
    if members < 2:
        return Estimate(value, None, 0, members)
    square = _variance([number(keep, all_groups) for keep in ~torch.eye(members, dtype=torch.bool)])
    if groups < 2:
        return Estimate(value, square.sqrt(), members - 1, members)
    square = square + _variance([number(all_members, keep) for keep in ~torch.eye(groups, dtype=torch.bool)])
    return Estimate(value, square.sqrt(), min(members, groups) - 1, members)


def mean_over_both(
    values: Float[Tensor, "M K"], known: Bool[Tensor, "M K"], group: Int[Tensor, "K"]
) -> Interval:
    """The mean over known images, then over members, with the interval over members and images."""
    sums, counts = in_groups(values, known, group)
    one = Cosines(("",), ("",), sums[None, None, None], counts[None, None, None])
    return one.estimate(lambda means: means[0, 0]).interval()


def in_groups(
    values: Float[Tensor, "M K"], known: Bool[Tensor, "M K"], group: Int[Tensor, "K"]
) -> tuple[Float[Tensor, "M G"], Float[Tensor, "M G"]]:
    """The sum of the known values in each group, and how many they are."""
    inside = torch.nn.functional.one_hot(group).double()
    return torch.where(known, values, 0.0).double() @ inside, known.double() @ inside


def cosines_of_members(rows: Iterable[Row]) -> list[Row]:
    """The cosines of every member that counts, whole and by group of images, on the study's own majority
    data."""
    found = [row for row in majority(own(rows)) if row.quantity == "cosine" and row.by in ("member", GROUP)]
    kept = counted(list(dict.fromkeys(row.bin for row in found if row.by == "member")))
    return once(row for row in found if (row.bin if row.by == "member" else row.other) in kept)


def cosines(rows: Iterable[Row], cells: Sequence[str], methods: Sequence[str]) -> Cosines | None:
    """Of rows that are named: the cosines of the members that every one of these cells and methods has; None
    where none do."""
    table = _table(rows)
    pairs = [(cell, method) for cell in cells for method in methods]
    data = [
        name for name in dict.fromkeys(key[0] for key in table) if all((name, *p) in table for p in pairs)
    ]
    if not data or not pairs:
        return None
    keys = [(name, *pair) for name in data for pair in pairs]
    members = sorted(set.intersection(*({*table[key]} for key in keys)))
    if len(members) < 2:
        return None
    found = [[table[key][member] for member in members] for key in keys]
    if any(len(own) == 1 for line in found for own in line):  # a run that kept no groups
        found = [[{WHOLE: own[WHOLE]} for own in line] for line in found]
    else:
        found = [[{g: pair for g, pair in own.items() if g != WHOLE} for own in line] for line in found]
    groups = sorted({name for line in found for own in line for name in own})
    values = [[[own.get(name, (0.0, 0.0)) for name in groups] for own in line] for line in found]
    shape = (len(data), len(cells), len(methods), len(members), len(groups), 2)
    each = torch.tensor(values, dtype=torch.float64).reshape(shape)
    return Cosines(tuple(data), tuple(methods), each[..., 0] * each[..., 1], each[..., 1])


def _table(rows: Iterable[Row]) -> dict[tuple[str, str, str], dict[str, dict[str, tuple[float, float]]]]:
    """Data, cell and method → member → group → the cosine, and of how many images."""
    table: dict[tuple[str, str, str], dict[str, dict[str, tuple[float, float]]]] = {}
    for row in sorted(rows, key=lambda row: row.by == GROUP):
        member, group = (row.other, row.bin) if row.by == GROUP else (row.bin, WHOLE)
        own = table.setdefault((row.data, row.model, row.explainer), {}).setdefault(member, {})
        own[group] = (row.value, 1.0 if group == WHOLE else float(row.n))
    return table


def _variance(left: Sequence[Tensor]) -> Float[Tensor, "P"]:
    each = torch.stack(list(left))
    return (each - each.mean(0)).square().sum(0) * (len(each) - 1) / len(each)
