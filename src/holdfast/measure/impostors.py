"""Impostors: explanations that know nothing of what a member learned about an input.

A stability needs a zero: what somebody reaches who knows nothing. Each impostor is ignorant of one thing and
has the values of a real member, so that only places differ. A hold is measured against the nearest of them.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Explanation
from holdfast.measure.drawn import Drawn
from holdfast.measure.pairing import Pairs, across, pairs_of
from holdfast.measure.shuffle import shuffled, uniform_of

Alignment = Literal["relative", "last"]
SameClass = Literal["always", "common", "never"]
PARTNERS, COPIES, COMMON = 4, 4, 20


class Copy(NamedTuple):
    """An impostor of every member, and which instances have one."""

    scores: Float[Tensor, "M B T"]
    known: Bool[Tensor, "B"]


class Distances(NamedTuple):
    """How far each pair of members is from the impostor, and which instances have one (elsewhere 0);
    ``drawn`` tells what its draws contribute to the error."""

    pairs: Pairs
    known: Bool[Tensor, "B"]
    drawn: Drawn | None = None

    def cpu(self) -> "Distances":
        """The same in main memory."""
        return Distances(self.pairs.cpu(), self.known.cpu(), None if self.drawn is None else self.drawn.cpu())


class Impostor(ABC):
    """Makes copies of explanations that are ignorant of one thing.

    ``knows`` completes "an explanation that knows …", for reports.
    """

    name: ClassVar[str]
    knows: ClassVar[str]

    @abstractmethod
    def copies(self, explanation: Explanation, rows: Int[Tensor, "B"]) -> Iterator[Copy]:
        """One copy after another; ``rows`` are the instances' numbers in their split."""

    def distances(self, explanation: Explanation, rows: Int[Tensor, "B"] | None = None) -> Distances:
        """Total variation between one member and the copy of another, both ways, mean over the copies.

        >>> from holdfast.core.records import Member
        >>> scores = torch.tensor([[[1.0, 0.0]], [[1.0, 0.0]]])
        >>> about = (scores[0] >= 0, torch.tensor([0]), (Member(0), Member(1)), "mine", False)
        >>> Shuffled().distances(Explanation(scores, *about)).pairs.values
        tensor([[1.]])
        """
        mask, scores = explanation.mask, explanation.scores
        left, right = pairs_of(explanation)
        rows = torch.arange(len(mask), device=mask.device) if rows is None else rows.to(mask.device)
        total, count = scores.new_zeros(len(left), len(mask)), scores.new_zeros(len(mask))
        each = []
        for copy in self.copies(explanation, rows):
            apart = across(explanation, copy.scores)
            both = (apart[left, right] + apart[right, left]) / 2
            total += torch.where(copy.known, both, 0.0)
            count += copy.known
            each.append(both.mean(0))
        values = total / count.clamp(min=1)
        pairs = Pairs(values, left, right, len(explanation.members))
        return Distances(pairs, count > 0, self._drawn(each))

    def _drawn(self, each: list[Float[Tensor, "B"]]) -> Drawn | None:
        """What is known of the draws, from the mean distance to each copy."""
        return None


@dataclass(frozen=True)
class Shuffled(Impostor):
    """A member's values at random places: it knows how unequal scores are, not where they lie."""

    name = "shuffled"
    knows = "how unequal the scores are, but not where they lie"

    def copies(self, explanation: Explanation, rows: Int[Tensor, "B"]) -> Iterator[Copy]:
        """Rotations of one random order; of short inputs only those that move something."""
        mask = explanation.mask
        length = mask.sum(-1)
        several = length > 1
        # a rotation by 0 may move nothing in a short input: of two positions one order in two
        for copy in range(COPIES):
            moved = shuffled(explanation.scores, mask, rows, copy)
            stays = length <= 3
            if stays.any():
                moved = torch.where(stays[:, None], _rotated(explanation.scores, mask, copy + 1), moved)
            yield Copy(moved, several)


@dataclass(frozen=True)
class AnotherInput(Impostor):
    """What a member says of another input of the same length, laid over this one.

    It knows the habits of model and explainer, such as "the last item", not this input. Where no input has
    the same length, the nearest within a fifth stands in, by relative place or, with ``aligned="last"``, at
    the last position. ``same_class`` says when only inputs count whose explained class is the same: always,
    where a class is common (twenty inputs or more), or never.
    """

    aligned: Alignment = "relative"
    same_class: SameClass = "never"

    name = "another input"
    knows = "the habits of the model, but not this input"

    def __post_init__(self) -> None:
        if self.aligned not in ("relative", "last"):
            raise BadSetting(f"aligned: expected relative or last, but got {self.aligned!r}")
        if self.same_class not in ("always", "common", "never"):
            raise BadSetting(f"same_class: expected always, common or never, but got {self.same_class!r}")

    def copies(self, explanation: Explanation, rows: Int[Tensor, "B"]) -> Iterator[Copy]:
        """Up to four other inputs."""
        mask = explanation.mask
        length = mask.sum(-1)
        for partner in partners(length, self._kinds(explanation.target), rows):
            known = (partner >= 0) & (length > 1)
            other = partner.clamp(min=0)
            place = self._place(mask, length, length[other])
            source = _valid(mask)[other].gather(-1, place)
            laid = explanation.scores[:, other].gather(-1, source.expand_as(explanation.scores))
            yield Copy(torch.where(mask, laid, 0.0), known)

    def _kinds(self, target: Int[Tensor, "B"]) -> Int[Tensor, "B"]:
        """Which inputs may stand in for each other; those of rare classes for one another."""
        if self.same_class == "never":
            return torch.zeros_like(target)
        if self.same_class == "always":
            return target
        common = target.bincount()[target] >= COMMON
        return torch.where(common, target, -1)

    def _place(self, mask: Tensor, length: Tensor, other: Tensor) -> Int[Tensor, "B T"]:
        """Which of the other input's positions is laid over each of this one's."""
        place = (mask.cumsum(-1) - 1).clamp(min=0)
        mine, its = length[:, None], other[:, None]
        if self.aligned == "last":
            # what the other input lacks at the beginning repeats its first position
            return (place - mine + its).clamp(min=0)
        return torch.minimum(place * its // mine.clamp(min=1), (its - 1).clamp(min=0))


@dataclass(frozen=True)
class UntrainedOrder(Impostor):
    """A member's values in the order in which the same architecture ranks the positions before training.

    It knows the input and the wiring, not what was learned (after Adebayo et al. 2018). ``scores`` are of
    networks as they start, one after another; each may stand for several that explained some instances each:
    ``turn`` then says which of them explained an instance.
    """

    scores: Float[Tensor, "D B T"]
    turn: Int[Tensor, "B"] | None = None

    name = "untrained order"
    knows = "the input and the wiring, but nothing that was learned"

    def copies(self, explanation: Explanation, rows: Int[Tensor, "B"]) -> Iterator[Copy]:
        """One copy for each network; equal scores stand in random order."""
        mask = explanation.mask
        for draw, scores in enumerate(self.scores):
            chance = uniform_of(rows + draw * 1_000_003, mask.shape[-1])
            places = _ranked(scores.to(mask.device), mask, chance)
            order = _ranked(explanation.scores, mask.expand_as(explanation.scores), chance)
            values = explanation.scores.gather(-1, order)
            moved = torch.zeros_like(values).scatter(-1, places.expand_as(values), values)
            yield Copy(torch.where(mask, moved, 0.0), mask.sum(-1) > 1)

    def _drawn(self, each: list[Float[Tensor, "B"]]) -> Drawn:
        table = torch.stack(each)
        turn = torch.zeros(table.shape[1], dtype=torch.long) if self.turn is None else self.turn
        return Drawn(table, turn.to(table.device))


def partners(
    length: Int[Tensor, "B"], kinds: Int[Tensor, "B"], rows: Int[Tensor, "B"]
) -> list[Int[Tensor, "B"]]:
    """Up to four other instances for each: of the same kind and length, else of the nearest length within
    a fifth of its own (at least 1); −1 where there is none.

    >>> lengths = torch.tensor([5, 5, 6, 30])
    >>> [p.tolist() for p in partners(lengths, torch.zeros(4, dtype=torch.long), torch.arange(4))]
    [[1, 0, 0, -1], [-1, -1, 1, -1], [-1, -1, -1, -1], [-1, -1, -1, -1]]
    """
    chance = uniform_of(rows, 1)[:, 0]
    order = sorted(range(len(rows)), key=lambda i: float(chance[i]))
    groups: dict[tuple[int, int], list[int]] = {}
    for i in order:
        groups.setdefault((int(kinds[i]), int(length[i])), []).append(i)
    table = torch.full((PARTNERS, len(rows)), -1)
    for (kind, size), group in groups.items():
        if len(group) > 1:
            for at, i in enumerate(group):
                some = [group[(at + k) % len(group)] for k in range(1, min(PARTNERS, len(group) - 1) + 1)]
                table[: len(some), i] = torch.tensor(some)
            continue
        most = max(1, size // 5)
        near = [d for step in range(1, most + 1) for d in (size - step, size + step)]
        some = [i for other in near for i in groups.get((kind, other), [])][:PARTNERS]
        table[: len(some), group[0]] = torch.tensor(some, dtype=torch.long)
    return list(table.to(length.device))


def _ranked(scores: Tensor, mask: Tensor, chance: Tensor) -> Tensor:
    """Positions, the largest |score| first, equal ones in random order; those that do not exist come last."""
    shuffled_places = chance.expand_as(scores).argsort(-1)
    size = torch.where(mask, scores.abs(), -1.0).gather(-1, shuffled_places)
    return shuffled_places.gather(-1, size.argsort(dim=-1, descending=True, stable=True))


def _valid(mask: Bool[Tensor, "B T"]) -> Int[Tensor, "B T"]:
    """The positions that exist, in their order; the rest follows."""
    return (~mask).long().argsort(dim=-1, stable=True)


def _rotated(scores: Tensor, mask: Tensor, by: int) -> Tensor:
    """Scores moved on by some places, never by a full turn."""
    length = mask.sum(-1, keepdim=True)
    step = 1 + (by - 1) % (length - 1).clamp(min=1)
    place = (mask.cumsum(-1) - 1 + step) % length.clamp(min=1)
    source = _valid(mask).gather(-1, place.clamp(min=0))
    return torch.where(mask, scores.gather(-1, source.expand_as(scores)), 0.0)
