"""The scale of a hold: distances between members, and to each impostor, measured once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jaxtyping import Int
from torch import Tensor

from holdfast.core.compare.tvd import Tvd
from holdfast.core.records import Explanation, Member
from holdfast.measure.impostors import Distances, Impostor
from holdfast.measure.pairing import Pairs, over_members

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


def scale_of(
    explanation: Explanation, impostors: Sequence[Impostor], rows: Int[Tensor, "B"] | None = None
) -> Scale:
    """All distances between members and to these impostors; ``rows`` are the instances' numbers in their
    split, which the impostors draw by."""
    tables = {impostor.name: impostor.distances(explanation, rows) for impostor in impostors}
    enough = min(FEWEST, len(explanation.mask))
    few = tuple(name for name, table in tables.items() if int(table.known.sum()) < enough)
    kept = {name: table for name, table in tables.items() if name not in few}
    return Scale(over_members(explanation, Tvd()), kept, explanation.members, few)
