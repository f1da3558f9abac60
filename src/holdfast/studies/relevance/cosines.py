"""The cosines of members on groups of images, and numbers made of them with what both would change.

All members (folds or seeds) explain the same images: intervals are over both (see :mod:`measure.estimate`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.measure.claims import MEMBERS
from holdfast.measure.estimate import Estimate, two_jackknives
from holdfast.measure.grouped import GROUP
from holdfast.studies.relevance.names import as_documented, counted, majority, once
from holdfast.study.measurement import Measurement

WHOLE = ""  # all images together
BOTH = "members and images"

Means = Float[Tensor, "D C X"]


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


def cosines_of_members(rows: Iterable[Measurement]) -> list[Measurement]:
    """The cosines of every member that counts, whole and by group of images, on the study's own majority
    data."""
    chosen = [
        row
        for row in majority(as_documented(rows))
        if row.quantity == "cosine" and row.by in ("member", GROUP)
    ]
    kept = counted(list(dict.fromkeys(row.member for row in chosen if row.by == "member")))
    return once(row for row in chosen if row.member in kept)


def cosines(rows: Iterable[Measurement], cells: Sequence[str], methods: Sequence[str]) -> Cosines | None:
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
    tables = [[table[key][member] for member in members] for key in keys]
    if any(len(cosine_of) == 1 for line in tables for cosine_of in line):  # a run that kept no groups
        tables = [[{WHOLE: cosine_of[WHOLE]} for cosine_of in line] for line in tables]
    else:
        tables = [
            [{g: pair for g, pair in cosine_of.items() if g != WHOLE} for cosine_of in line]
            for line in tables
        ]
    groups = sorted({name for line in tables for cosine_of in line for name in cosine_of})
    values = [[[cosine_of.get(name, (0.0, 0.0)) for name in groups] for cosine_of in line] for line in tables]
    shape = (len(data), len(cells), len(methods), len(members), len(groups), 2)
    each = torch.tensor(values, dtype=torch.float64).reshape(shape)
    return Cosines(tuple(data), tuple(methods), each[..., 0] * each[..., 1], each[..., 1])


def _table(
    rows: Iterable[Measurement],
) -> dict[tuple[str, str, str], dict[str, dict[str, tuple[float, float]]]]:
    """Data, cell and method → member → group → the cosine, and of how many images."""
    table: dict[tuple[str, str, str], dict[str, dict[str, tuple[float, float]]]] = {}
    for row in sorted(rows, key=lambda row: row.by == GROUP):
        group = row.bin if row.by == GROUP else WHOLE
        by_group = table.setdefault((row.data, row.model, row.explainer), {}).setdefault(row.member, {})
        by_group[group] = (row.value, 1.0 if group == WHOLE else float(row.n))
    return table
