"""Do members fall into two groups, or is one of them odd?"""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.core.records import Member
from holdfast.measure.scale import Scale

GAP = 0.20


@dataclass(frozen=True)
class Groups:
    """Members split into two by average linkage; ``gap`` is how much farther apart the groups are than
    their own members, as a share of the distance to the nearest impostor."""

    smaller: tuple[Member, ...]
    gap: float

    @property
    def apart(self) -> bool:
        """Whether these are two groups, and not one."""
        return self.gap >= GAP


def groups_of(scale: Scale) -> Groups | None:
    """The members split into two by average linkage; None with fewer than three, or without an
    impostor to measure the gap by."""
    pairs = scale.between
    if pairs.n < 3 or not scale.impostors:
        return None
    table = torch.zeros(pairs.n, pairs.n, dtype=torch.float64)
    table[pairs.left, pairs.right] = pairs.values.double().mean(1).cpu()
    table += table.T.clone()
    one, two = _linked(table)
    smaller, larger = sorted((one, two), key=lambda group: (len(group), group))
    between = float(table[smaller][:, larger].mean())
    within = _mean_within(table, [smaller, larger])
    far = min(float(t.pairs.values[:, t.known].double().mean()) for t in scale.impostors.values())
    return Groups(tuple(scale.members[i] for i in smaller), (between - within) / far if far > 0 else 0.0)


def _linked(table: Float[Tensor, "n n"]) -> tuple[list[int], list[int]]:
    """The last two clusters of average linkage."""
    clusters = [[i] for i in range(len(table))]
    while len(clusters) > 2:
        ends = [(i, j) for i in range(len(clusters)) for j in range(i)]
        i, j = min(ends, key=lambda ij: float(table[clusters[ij[0]]][:, clusters[ij[1]]].mean()))
        clusters[j] += clusters.pop(i)
    return sorted(clusters[0]), sorted(clusters[1])


def _mean_within(table: Tensor, groups: list[list[int]]) -> float:
    inner = [float(table[i, j]) for group in groups for i in group for j in group if i < j]
    return sum(inner) / len(inner) if inner else 0.0
