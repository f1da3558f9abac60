"""What a run holds beyond the question: runs grow, and a smaller question deletes nothing."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from holdfast.core.errors import BadRun
from holdfast.core.records import Member
from holdfast.core.sealed import read_sealed
from holdfast.data.reading import listed
from holdfast.train.job import Job
from holdfast.train.request import Request
from holdfast.train.score_file import ScoreFile

HOLDS = "This run also holds"
SEED = re.compile(r"seed-(\d+)\.json")


class More(NamedTuple):
    """Seeds, explainers and test examples that a run holds and nobody asked for."""

    seeds: frozenset[int]
    explainers: frozenset[str]
    rows: frozenset[int]

    def __or__(self, other: "More") -> "More":
        return More(self.seeds | other.seeds, self.explainers | other.explainers, self.rows | other.rows)

    @property
    def sentence(self) -> str:
        """One sentence; nothing where there is nothing more.

        >>> More(frozenset((5, 6, 7, 9)), frozenset(("lrp",)), frozenset((3, 4))).sentence
        'This run also holds seeds 5 to 7 and 9, scores by lrp and scores of 2 more examples.'
        """
        seeds = f"seed{'s' * (len(self.seeds) > 1)} {listed(_ranges(sorted(self.seeds)))}"
        examples = f"scores of {len(self.rows)} more example{'s' * (len(self.rows) > 1)}"
        parts = {seeds: self.seeds, f"scores by {listed(sorted(self.explainers))}": self.explainers}
        said = [part for part, own in (parts | {examples: self.rows}).items() if own]
        return f"{HOLDS} {listed(said)}." if said else ""


NOTHING = More(frozenset(), frozenset(), frozenset())


def more(job: Job, members: Iterable[Member], request: Request) -> More:
    """What one family holds beyond these members and the requested rows, and its job's explainers."""
    asked = tuple(members)
    files = [ScoreFile(job, member, text) for member in asked for text in job.explainers]
    there = {row for file in files for row in file.besides(request)}
    return More(
        frozenset(_seeds(job)) - {member.seed for member in asked if member.fold is None},
        frozenset(_explainers(job)) - set(job.explainers),
        frozenset(there) - set(request.rows.tolist()),
    )


def _seeds(job: Job) -> list[int]:
    numbers = [int(name[1]) for path in job.folder.glob("seed-*.json") if (name := SEED.fullmatch(path.name))]
    return [seed for seed in numbers if job.sound(Member(seed)) is not None]


def _explainers(job: Job) -> set[str]:
    """The explainers by which some member's scores are there."""
    found = set()
    for path in job.folder.glob("*/seed-*.json"):
        try:
            found.add(read_sealed(path).get("explainer", ""))
        except BadRun:
            continue
    return found - {""}


def _ranges(numbers: list[int]) -> list[str]:
    """Numbers that follow one another as one range.

    >>> _ranges([1, 2, 3, 7])
    ['1 to 3', '7']
    """
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return [str(own[0]) if len(own) == 1 else f"{own[0]} to {own[-1]}" for own in found]
