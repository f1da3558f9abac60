"""How often the interval of a hold covers the truth, and how often a verdict is wrong, by simulation.

Scores of members are a common signal, a habit ("the last position") and noise, exponentiated; an untrained
network's are half the signal and noise. Members are alike, have noise levels of their own, contain an odd
one in ten, or fall into two groups whose signals correlate by 0 or 0.7. The truth is the hold of sixty
members. Printed: coverage of the 95 % interval, how often groups are seen, how often it is said to hold, and
among runs that contain an odd member or both groups, how often it is wrongly said to hold.

    python benchmarks/verdict.py --runs 100 --csv simulation.csv
"""

import argparse
import csv
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from holdfast.core.records import Explanation, Member
from holdfast.measure.hold import hold
from holdfast.measure.impostors import AnotherInput, Shuffled, UntrainedOrder
from holdfast.measure.odd_members import groups_of
from holdfast.measure.scale import Scale, scale_of
from holdfast.measure.survives import HOLDS

LENGTH, HABIT, SIGNAL, UNTRAINED = 12, 0.7, 1.5, 3
KINDS = ("alike", "noise 0.3", "noise 0.6", "odd 0", "odd 0.7", "groups 0", "groups 0.7")


class Sample(NamedTuple):
    """Distances of one simulated run, and whether it contains an odd member or both groups."""

    scale: Scale
    mixed: bool


def sample(
    members: int, instances: int, kind: str, noise: float, dice: torch.Generator, exact: bool = False
) -> Sample:
    """One simulated run; ``exact`` has the share of odd members as it is, not as it is drawn."""
    name, _, amount = kind.partition(" ")

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=dice)

    signal, habit = SIGNAL * normal(instances, LENGTH), HABIT * torch.linspace(-1, 1, LENGTH)
    levels, odd = torch.full((members,), noise), torch.zeros(members, dtype=torch.bool)
    if name == "noise":
        levels = noise * torch.exp(float(amount) * normal(members))
    elif name in ("odd", "groups"):
        share = 0.1 if name == "odd" else 0.5
        places = torch.rand(members, generator=dice)
        odd = places.argsort().argsort() < share * members if exact else places < share
    correlation = float(amount or 0)
    other = correlation * signal + math.sqrt(1 - correlation**2) * SIGNAL * normal(instances, LENGTH)
    common = torch.where(odd[:, None, None], other, signal) + habit
    scores = (common + levels[:, None, None] * normal(members, instances, LENGTH)).exp()
    untrained = (0.5 * signal + SIGNAL * normal(UNTRAINED, instances, LENGTH) + habit).exp()
    mask, target = torch.ones(instances, LENGTH, dtype=torch.bool), torch.zeros(instances, dtype=torch.long)
    explanation = Explanation(scores, mask, target, tuple(map(Member, range(members))), "simulated", False)
    scale = scale_of(explanation, [Shuffled(), AnotherInput(), UntrainedOrder(untrained)])
    return Sample(scale, 0 < int(odd.sum()) < members)


def cases(runs: int, kinds: tuple[str, ...]) -> Iterator[dict[str, object]]:
    """One line of the table after another."""
    for kind in kinds:
        for noise in (0.15, 0.3, 0.6):
            dice = torch.Generator().manual_seed(KINDS.index(kind) * 1000 + round(100 * noise))
            truth = sum(_value(sample(60, 300, kind, noise, dice, exact=True).scale) for _ in range(2)) / 2
            for members, instances in ((3, 50), (3, 200), (5, 50), (5, 200), (10, 50), (10, 200), (20, 50)):
                samples = [sample(members, instances, kind, noise, dice) for _ in range(runs)]
                yield {"kind": kind, "noise": noise, "members": members, "instances": instances} | _line(
                    samples, truth
                )


def _line(samples: list[Sample], truth: float) -> dict[str, object]:
    holds = [hold(one.scale) for one in samples]
    apart = [groups_of(one.scale) for one in samples]
    covered = [h is not None and h.low is not None and h.low <= truth <= (h.high or 1.0) for h in holds]
    groups = [g is not None and g.apart for g in apart]
    said = [h is not None and (h.low or 0.0) >= HOLDS and not g for h, g in zip(holds, groups, strict=True)]
    mixed = [s for s, one in zip(said, samples, strict=True) if one.mixed]
    share = {"covered": covered, "groups": groups, "said to hold": said, "wrongly, where mixed": mixed}
    means = {name: round(sum(values) / len(values), 3) if values else "" for name, values in share.items()}
    return {"hold": round(truth, 3)} | means | {"runs": len(samples), "mixed": len(mixed)}


def _value(scale: Scale) -> float:
    held = hold(scale)
    assert held is not None
    return held.value


def main() -> None:
    """Print the table, and write it where it is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=100, help="simulated runs of each case")
    parser.add_argument("--kind", choices=KINDS, action="append", help="only these kinds of members")
    parser.add_argument("--csv", type=Path, help="also write the table to this file")
    given = parser.parse_args()
    torch.set_num_threads(1)
    writer, lines = None, []
    for line in cases(given.runs, tuple(given.kind or KINDS)):
        if writer is None:
            writer = csv.DictWriter(sys.stdout, list(line))
            writer.writeheader()
        writer.writerow(line)
        sys.stdout.flush()
        lines.append(line)
    if given.csv is not None:
        with given.csv.open("w", newline="", encoding="utf-8") as file:
            kept = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
            kept.writeheader()
            kept.writerows(lines)


if __name__ == "__main__":
    main()
