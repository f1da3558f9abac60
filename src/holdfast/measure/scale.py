"""The scale of a hold: distances between members, and to each impostor, measured once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Tensor

from holdfast.core.records import Explanation, Member
from holdfast.measure.impostors import Distances, Impostor
from holdfast.measure.pairing import Pairs, across, pairs_of

FEWEST = 30
"""An impostor that fewer instances have is left out."""


@dataclass(frozen=True)
class Scale:
    """Total variation between every two members, and between each member and the others' impostors.

    ``left_out`` names impostors that too few instances have.
    """

    between: Pairs
    impostors: Mapping[str, Distances]
    members: tuple[Member, ...]
    left_out: tuple[str, ...] = ()

    def cpu(self) -> "Scale":
        """The same scale in main memory."""
        impostors = {name: distances.cpu() for name, distances in self.impostors.items()}
        return Scale(self.between.cpu(), impostors, self.members, self.left_out)

    def keep(self, members: Sequence[Member]) -> "Scale":
        """The same scale for some of the members."""
        index = [self.members.index(member) for member in members]
        impostors = {name: d._replace(pairs=d.pairs.keep(index)) for name, d in self.impostors.items()}
        return Scale(self.between.keep(index), impostors, tuple(members), self.left_out)

    def only(self, impostors: Sequence[str]) -> "Scale":
        """The same scale against some of its impostors."""
        kept = {name: table for name, table in self.impostors.items() if name in impostors}
        return Scale(self.between, kept, self.members, self.left_out)


def alike(a: Scale, b: Scale) -> tuple[Scale, Scale]:
    """Both scales over the members and against the impostors that both have: holds against different
    opponents cannot be compared."""
    members = [member for member in a.members if member in b.members]
    impostors = [name for name in a.impostors if name in b.impostors]
    return a.keep(members).only(impostors), b.keep(members).only(impostors)


def scale_of(
    explanation: Explanation, impostors: Sequence[Impostor], rows: Int[Tensor, "B"] | None = None
) -> Scale:
    """All distances between members and to these impostors; ``rows`` are the instances' numbers in their
    split, which the impostors draw by. A single member is at no distance from anything."""
    if len(explanation.members) < 2:
        nobody = torch.zeros(0, dtype=torch.long)
        nothing = Pairs(explanation.scores.new_zeros(0, len(explanation.mask)), nobody, nobody, 1)
        return Scale(nothing, {}, explanation.members)
    tables = {impostor.name: impostor.distances(explanation, rows) for impostor in impostors}
    several = int((explanation.mask.sum(-1) > 1).sum())  # one position alone has no impostor
    enough = min(FEWEST, several)
    few = tuple(name for name, table in tables.items() if int(table.known.sum()) < enough)
    kept = {name: table for name, table in tables.items() if name not in few}
    return Scale(_between(explanation), kept, explanation.members, few)


def _between(explanation: Explanation) -> Pairs:
    """Every two members."""
    left, right = pairs_of(explanation)
    apart = across(explanation, explanation.scores)
    return Pairs(apart[left, right], left, right, len(explanation.members))
