"""What a document claims, and whether it came out here: a relative cut with its interval, judged plainly."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch
from jaxtyping import Bool
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.records import Member
from holdfast.measure.pairing import over_members
from holdfast.measure.quality import accuracy, deviation
from holdfast.measure.reduce import Interval, jackknife, over_instances
from holdfast.measure.statistics import paired
from holdfast.study.cell import Cell

LOST = 0.02  # of accuracy: beyond this a family counts as a worse one
Keep = Bool[Tensor, "M"]
Statistic = Callable[[Keep], float]
Maker = Callable[[Cell, list[Member]], Statistic]


@dataclass(frozen=True)
class Claim:
    """One claim on one pair of families.

    ``cut`` is ``1 − after / before``: 0.6 means 60 % less; ``gained`` is what accuracy gained, as a fraction.
    """

    claim: str
    where: str
    published: str
    cut: Interval
    before: float
    after: float
    gained: Interval

    @property
    def verdict(self) -> str:
        """Came out, did not, cannot be told, or is worth nothing: who has learned less agrees more easily."""
        low, high = self.cut.low, self.cut.high
        if low is None or high is None:
            return "not decided"
        if self.gained.value <= -LOST and self.gained.high is not None and self.gained.high < 0:
            return "paid for in accuracy"
        if low > 0:
            return "came out"
        return "the contrary came out" if high < 0 else "not decided"


def claims(plain: Cell, mended: Cell) -> list[Claim]:
    """Jain's claims on what a repair does (§4.6)."""
    asked: list[tuple[str, str, Maker]] = [
        ("the spread of accuracy over seeds shrinks", "72 % on average", _accuracy_sd),
        ("predictions deviate less over seeds", "yes (Figure 4.12)", _deviation),
    ]
    for name, published in (("attention", "about 60 % (Figure 4.15b)"), ("gradient", "yes (Figure 4.21)")):
        if name in plain.explanations and name in mended.explanations:
            claim = f"the divergence (KL) of {name} between seeds shrinks"
            asked.append((claim, published, partial(_kl, name)))
    where = f"{plain.data}, {plain.model}: {mended.repair} against none"
    common = [member for member in plain.members if member in mended.members]
    gained = paired(*(accuracy(_own(cell, common), cell.targets) for cell in (plain, mended))).difference
    found = []
    for claim, published, statistic in asked:
        before, after = statistic(plain, common), statistic(mended, common)
        everyone = torch.ones(len(common), dtype=torch.bool)
        found.append(
            Claim(
                claim,
                where,
                published,
                _cut(before, after, len(common)),
                before(everyone),
                after(everyone),
                gained,
            )
        )
    return found


def _cut(before: Statistic, after: Statistic, n: int) -> Interval:
    cut = jackknife(lambda keep: 1 - after(keep) / max(before(keep), 1e-12), n)
    return cut.within(-math.inf, 1.0)  # nothing shrinks by more than all of it


def _accuracy_sd(cell: Cell, members: list[Member]) -> Statistic:
    right = accuracy(_own(cell, members), cell.targets)
    return lambda keep: float(right[keep].std()) if int(keep.sum()) > 1 else 0.0


def _deviation(cell: Cell, members: list[Member]) -> Statistic:
    own = _own(cell, members)
    chosen = own[..., 1] if own.shape[-1] == 2 else own.max(-1).values
    return lambda keep: float(deviation(chosen[keep]).mean()) if int(keep.sum()) > 1 else 0.0


def _kl(name: str, cell: Cell, members: list[Member]) -> Statistic:
    pairs = over_members(cell.explanations[name], make("comparisons", "kl"))
    pairs = pairs.keep([cell.members.index(member) for member in members])
    means = over_instances(pairs.values)

    def mean(keep: Keep) -> float:
        both = keep[pairs.left] & keep[pairs.right]
        return float(means[both].mean()) if bool(both.any()) else 0.0

    return mean


def _own(cell: Cell, members: list[Member]) -> Tensor:
    return cell.probabilities[[cell.members.index(member) for member in members]]
