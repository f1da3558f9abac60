"""How far the attention of every other member is from that of one base member, by how strong the base
member's largest weight is and by label (SEAT, Figure 2): the numbers of its densities."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.compare.jensen_shannon import JensenShannon
from holdfast.core.errors import BadSetting, TooFewMembers
from holdfast.core.records import Explanation, Member
from holdfast.measure.bins import confidence_bin

BINS = 4


class AgainstBase(NamedTuple):
    """Of each instance the base member's largest weight, the bin of it (0 to 3, a quarter wide, 1.0 in the
    last one), and the Jensen–Shannon divergence from the base member to each other one, in nats."""

    base: Member
    others: tuple[Member, ...]
    largest: Float[Tensor, "B"]
    bin: Int[Tensor, "B"]
    distances: Float[Tensor, "O B"]

    @property
    def farthest(self) -> Float[Tensor, "B"]:
        """The largest divergence of each instance, which the paper draws."""
        return self.distances.amax(0)


class Group(NamedTuple):
    """The instances of one bin and one label: the largest divergence of each, and of every pair."""

    bin: int
    label: int
    farthest: Float[Tensor, "N"]
    pairs: Float[Tensor, "K"]


def against_base(explanation: Explanation, base: Member | None = None) -> AgainstBase:
    """Compare one member, the first if none is named, with every other one.

    ``JS(w_base, w_other)`` for each other member, and the bin of ``max_t w_base,t``. An instance of one
    position has divergence 0 in the last bin, whatever was learned.

    >>> scores = torch.tensor([[[0.9, 0.1]], [[0.9, 0.1]], [[0.1, 0.9]]])
    >>> about = (scores[0] >= 0, torch.tensor([0]), (Member(0), Member(1), Member(2)), "attention", False)
    >>> found = against_base(Explanation(scores, *about))
    >>> found.bin.tolist(), [round(float(each), 2) for each in found.distances[:, 0]]
    ([3], [0.0, 0.37])
    """
    members = explanation.members
    if len(members) < 2:
        raise TooFewMembers(
            f"expected at least 2 members to compare, but got {len(members)}: train more seeds"
        )
    first = members[0] if base is None else base
    if first not in members:
        raise BadSetting(f"expected base to be one of the {len(members)} members, but got {first}")
    compare, mask = JensenShannon(), explanation.mask
    wide = mask.expand(explanation.scores.shape)
    weights = compare.prepare(explanation.scores, wide, explanation.signed)
    place = members.index(first)
    own, others = weights[place], [other for other in range(len(members)) if other != place]
    distances = torch.stack([compare.between(own, weights[other], mask) for other in others])
    largest = own.amax(-1)
    named = tuple(members[other] for other in others)
    return AgainstBase(first, named, largest, confidence_bin(largest, BINS), distances)


def against_every_base(explanation: Explanation) -> list[AgainstBase]:
    """The same with each member as the base in turn: every ordered pair once, so that no seed is special."""
    return [against_base(explanation, member) for member in explanation.members]


def grouped(found: Sequence[AgainstBase], labels: Int[Tensor, "B"], classes: int) -> list[Group]:
    """The divergences by bin and label; a bin without instances is an empty group. Of several bases an
    instance counts once for each, in the bin that it has there."""
    groups = []
    for number in range(BINS):
        for label in range(classes):
            here = [(each, (each.bin == number) & (labels.to(each.bin.device) == label)) for each in found]
            farthest = torch.cat([each.farthest[select] for each, select in here])
            pairs = torch.cat([each.distances[:, select].flatten() for each, select in here])
            groups.append(Group(number, label, farthest, pairs))
    return groups


def density(values: Float[Tensor, "N"], cells: int = 20) -> Float[Tensor, "C"]:
    """How densely values lie in equal cells from 0 to log 2, the largest divergence there is; the area is 1,
    of no values 0.

    >>> density(torch.tensor([0.0, 0.1, 0.6]), 2) * math.log(2) / 2
    tensor([0.6667, 0.3333], dtype=torch.float64)
    """
    if cells < 1:
        raise BadSetting(f"expected at least 1 cell, but got {cells}")
    width = math.log(2) / cells
    place = (values.double() / width).floor().long().clamp(0, cells - 1)
    count = torch.zeros(cells, dtype=torch.float64, device=values.device)
    return count.index_add(0, place, torch.ones_like(place, dtype=torch.float64)) / (
        max(len(values), 1) * width
    )
