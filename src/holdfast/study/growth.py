"""What a run holds beyond the question: runs grow, and a smaller question deletes nothing."""

import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from holdfast.core.records import Member
from holdfast.data.reading import listed
from holdfast.train.job import ANSWERS, Job
from holdfast.train.request import Request
from holdfast.train.score_file import ScoreFile

HOLDS = "This run also holds"
SEED = re.compile(r"seed-(\d+)\.json")


class More(NamedTuple):
    """Seeds, explainers, test examples and perturbations that a run holds and nobody asked for."""

    seeds: frozenset[int]
    explainers: frozenset[str]
    rows: frozenset[int]
    changes: frozenset[str] = frozenset()

    def __or__(self, other: "More") -> "More":
        explainers, changes = self.explainers | other.explainers, self.changes | other.changes
        return More(self.seeds | other.seeds, explainers, self.rows | other.rows, changes)

    @property
    def sentence(self) -> str:
        """One sentence; nothing where there is nothing more.

        >>> More(frozenset((5, 6, 7, 9)), frozenset(("lrp",)), frozenset((3, 4))).sentence
        'This run also holds seeds 5 to 7 and 9, scores by lrp and scores of 2 more examples.'
        """
        examples = f"scores of {len(self.rows)} more example{'s' * (len(self.rows) > 1)}"
        parts = {
            seeds_named(self.seeds): self.seeds,
            f"scores by {listed(sorted(self.explainers))}": self.explainers,
        }
        changed = {f"explanations under {listed(sorted(self.changes))}": self.changes}
        said = [part for part, own in (parts | {examples: self.rows} | changed).items() if own]
        return f"{HOLDS} {listed(said)}." if said else ""


NOTHING = More(frozenset(), frozenset(), frozenset())


def holds(notes: Iterable[str]) -> str:
    """The one of a run's notes that says what more it holds; nothing where there is none."""
    return next((note for note in notes if note.startswith(HOLDS)), "")


def more(job: Job, members: Iterable[Member], request: Request, changes: Collection[str] = ()) -> More:
    """What one family holds beyond these members, the requested rows and ``changes``, and its job's
    explainers."""
    wanted = tuple(members)
    files = [ScoreFile(job, member, text) for member in wanted for text in job.explainers]
    there = {row for file in files for row in file.besides(request)}
    return More(
        frozenset(_seeds(job)) - {member.seed for member in wanted if member.fold is None},
        frozenset(_explainers(job)),
        frozenset(there) - set(request.rows.tolist()),
        frozenset(_changes(job)) - set(changes),
    )


def _seeds(job: Job) -> list[int]:
    return [seed for path in job.folder.glob("seed-*.json") for seed, _ in _sound(job, path)]


def _explainers(job: Job) -> set[str]:
    """Explainers that the job does not have, and by which some member's scores are there."""
    own = {ScoreFile(job, Member(0), text).kind for text in job.explainers} | {ANSWERS}
    paths = [path for path in job.folder.glob("*/seed-*.json") if path.parent.name not in own]
    return {note["explainer"] for note in _worked(job, paths) if "change" not in note}


def _changes(job: Job) -> set[str]:
    """Perturbations under which some member's scores are there."""
    return {note["change"] for note in _worked(job, job.folder.glob("*@*/seed-*.json"))}


def _worked(job: Job, paths: Iterable[Path]) -> list[dict[str, Any]]:
    """The notes of explainers that did not fail."""
    notes = [note for path in paths for _, note in _sound(job, path, path.parent.name)]
    return [note for note in notes if note["failed"] is None]


def _sound(job: Job, path: Path, kind: str = "") -> list[tuple[int, dict[str, Any]]]:
    """The seed and the note of a member, if its file is as it was written."""
    name = SEED.fullmatch(path.name)
    note = None if name is None else job.sound(Member(int(name[1])), kind)
    return [] if name is None or note is None else [(int(name[1]), note)]


def seeds_named(seeds: Collection[int]) -> str:
    """Seeds in words.

    >>> seeds_named({2}), seeds_named({0, 1, 2, 5})
    ('seed 2', 'seeds 0 to 2 and 5')
    """
    return f"seed{'s' * (len(seeds) > 1)} {listed(_ranges(sorted(seeds)))}"


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
