"""The numbers of a family of seeds, read back from rows: whole, without each seed, and without each group of
texts.

Seeds are shared: the same seed gives the same start and the same batches whatever the repair, and all
families predict the same texts. So a difference of two families leaves the same seed, or the same texts, out
of both.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.draws import permutation
from holdfast.measure.estimate import Estimate, two_jackknives
from holdfast.study.measurement import FamilyKey, Measurement, QuantityKey

MEMBER, GROUP, PAIR, WITHOUT = "member", "group", "pair", "without"
GROUPS = 20  # of the test texts: as many as the seeds of a large run, so that neither bounds the other


@dataclass
class Number:
    """A number of one family of ``n`` seeds; ``left`` is what it is without a seed, ``groups`` its value on
    each group of texts and how many they are (none: it is of whole test sets)."""

    whole: float = 0.0
    n: int = 0
    left: dict[str, float] = field(default_factory=dict)
    groups: dict[int, tuple[float, int]] = field(default_factory=dict)

    def without_group(self, group: int) -> float:
        """The mean over all other texts."""
        kept = [pair for number, pair in self.groups.items() if number != group]
        total = sum(count for _, count in kept)
        return sum(value * count for value, count in kept) / total if total else self.whole


Numbers = Mapping[tuple[FamilyKey, QuantityKey], Number]
Term = tuple[float, FamilyKey, QuantityKey]


@dataclass(frozen=True)
class Part:
    """One number to be estimated: a constant and a sum of measured numbers, each with a factor."""

    name: str
    terms: tuple[Term, ...]
    constant: float = 0.0


def numbers(rows: Iterable[Measurement]) -> dict[tuple[FamilyKey, QuantityKey], Number]:
    """Every number of every family of which rows hold the value of each seed, or of each pair of seeds; of
    others what is left without a seed, and the value on each group of texts."""
    table: dict[tuple[FamilyKey, QuantityKey], Number] = {}
    seeds: dict[tuple[FamilyKey, QuantityKey], dict[str, float]] = {}
    pairs: dict[tuple[FamilyKey, QuantityKey], dict[tuple[str, str], float]] = {}
    for row in rows:
        key = (row.family, row.what)
        if row.by == PAIR:
            pairs.setdefault(key, {})[row.member, row.other_member] = row.value
        elif row.by == MEMBER:
            seeds.setdefault(key, {})[row.member] = row.value
        elif row.by == WITHOUT:
            table.setdefault(key, Number()).left[row.member] = row.value
        elif row.by == GROUP:
            table.setdefault(key, Number()).groups[int(row.bin)] = (row.value, row.n)
    for key, values in seeds.items():
        number = table.setdefault(key, Number())
        number.whole, number.n = _mean(values.values()), len(values)
        number.left = {seed: _mean(rest) for seed, rest in without_each(values).items()}
    for key, between in pairs.items():
        number = table.setdefault(key, Number())
        number.whole, number.left = _mean(between.values()), _without_each(between)
        number.n = len(number.left)
    return table


def text_groups(texts: int) -> Int[Tensor, "N"]:
    """The group that each test text is in: the same for every family on these texts."""
    return permutation(texts, None, "text groups") % min(GROUPS, texts)


def without_each(values: Mapping[str, float]) -> dict[str, list[float]]:
    """The values of all other seeds, for each seed.

    >>> without_each({"0": 1.0, "1": 2.0, "2": 6.0})["1"]
    [1.0, 6.0]
    """
    return {seed: [values[name] for name in values if name != seed] for seed in values}


def estimate(table: Numbers, parts: Sequence[Part], mean: bool, log: bool) -> Estimate | None:
    """The parts, or their mean, with the error of both choices: which seeds, and which texts; of logarithms
    with ``log``. None where something was not measured, or is 0 and has no logarithm.

    A seed that one of the families lacks is left out of the others alone.
    """
    keys = [(family, what) for part in parts for _, family, what in part.terms]
    if any(key not in table for key in keys):
        return None
    seeds = sorted({seed for key in keys for seed in table[key].left}, key=int)
    groups = sorted({number for key in keys for number in table[key].groups})
    grouped = all(table[key].groups for key in keys)

    def value(
        key: tuple[FamilyKey, QuantityKey], members: Bool[Tensor, "M"], texts: Bool[Tensor, "G"]
    ) -> float:
        known = table[key]
        if not bool(members.all()):
            return known.left.get(seeds[int(members.logical_not().nonzero()[0])], known.whole)
        if not bool(texts.all()):
            return known.without_group(groups[int(texts.logical_not().nonzero()[0])])
        return known.whole

    def number(members: Bool[Tensor, "M"], texts: Bool[Tensor, "G"]) -> Float[Tensor, "P"]:
        each = []
        for part in parts:
            factors, values = (
                torch.tensor(column, dtype=torch.float64)
                for column in zip(
                    *((x, value((f, w), members, texts)) for x, f, w in part.terms), strict=True
                )
            )
            each.append((factors * (values.log() if log else values)).sum() + part.constant)
        stacked = torch.stack(each)
        return stacked.mean(0, keepdim=True) if mean else stacked

    few = min(table[key].n for key in keys)
    estimated = two_jackknives(number, len(seeds) if few > 2 else 0, len(groups) if grouped else 1)
    return _known(estimated._replace(n=few))


def _known(estimated: Estimate) -> Estimate | None:
    """Nothing where a value is no number, or made of nothing; no error where that is none."""
    if bool((estimated.value.isnan() | (estimated.value == -torch.inf)).any()):
        return None
    if estimated.error is not None and not bool(estimated.error.isfinite().all()):
        return estimated._replace(error=None)
    return estimated


def _without_each(between: Mapping[tuple[str, str], float]) -> dict[str, float]:
    """The mean over pairs without those of one seed, for each."""
    seeds = dict.fromkeys(seed for pair in between for seed in pair)
    return {seed: _mean(value for pair, value in between.items() if seed not in pair) for seed in seeds}


def _mean(values: Iterable[float]) -> float:
    return float(torch.tensor(list(values), dtype=torch.float64).mean())
