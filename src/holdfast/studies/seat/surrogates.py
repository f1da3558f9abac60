"""Does SEAT's top-k loss follow what it stands for, the overlap of two top k (Figure 5 of its appendix)?"""

import math
from collections.abc import Iterator, Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.core.compare.ranks import average_ranks
from holdfast.core.compare.topk_overlap import TopkOverlap
from holdfast.measure.reduce import mean_over_members
from holdfast.repair.seat import Seat, surrogate
from holdfast.studies.seat.measures import ATTENTION
from holdfast.studies.seat.plan import NONE
from holdfast.study.measure import Measurer
from holdfast.study.measurement import Measurement
from holdfast.study.numbers import MEMBER
from holdfast.study.result import FamilyResult

FOLLOWS, OVERLAP, LOSS = "surrogate_follows", "topk_overlap_teacher", "surrogate"


def surrogate_rows(families: Sequence[FamilyResult]) -> Iterator[Measurement]:
    """Of every family that SEAT alone repaired, beside the vanilla members that it learned from."""
    for family in families:
        repair = family.job.repair_settings
        plain = next((one for one in families if _teaches(one, family)), None)
        if isinstance(repair, Seat) and plain is not None:
            yield from _rows(family, plain, repair)


def _teaches(one: FamilyResult, student: FamilyResult) -> bool:
    return (one.data, one.model, one.repair) == (student.data, student.model, NONE)


def _rows(family: FamilyResult, plain: FamilyResult, repair: Seat) -> Iterator[Measurement]:
    row, mask, overlap = Measurer(family).row, family.mask, TopkOverlap(repair.k)
    ((_, teacher),) = family.job.teachers
    kept = [m for m in family.members if teacher.whose(m) in plain.members]
    own = family.explanations[ATTENTION].scores[[family.members.index(m) for m in kept]]
    theirs = plain.explanations[ATTENTION].scores[[plain.members.index(teacher.whose(m)) for m in kept]]
    losses = surrogate(theirs, own, mask, repair.k)
    shared = overlap(theirs, own, mask.expand(own.shape))
    yield row(LOSS, mean_over_members(losses.double().mean(1)).within(0.0, math.inf))
    yield row(OVERLAP, mean_over_members(shared.double().mean(1)).within(0.0, 1.0))
    values = {
        member: value
        for member, *pair in zip(kept, losses, shared, strict=True)
        if (value := follows(*pair)) is not None
    }
    if values:
        every = mean_over_members(torch.tensor(list(values.values()), dtype=torch.float64))
        yield row(FOLLOWS, every.within(-1.0, 1.0))
    for member, value in values.items():
        yield row(FOLLOWS, value, by=MEMBER, member=str(member.seed), n=len(family.rows))


def follows(loss: Float[Tensor, "K"], overlap: Float[Tensor, "K"]) -> float | None:
    """Spearman's correlation of the loss with what is not shared, over texts: 1 is the same order. None where
    all texts share the same.

    >>> follows(torch.tensor([0.1, 0.2, 0.3]), torch.tensor([1.0, 0.6, 0.2]))
    1.0
    """
    a, b = average_ranks(loss), average_ranks(1 - overlap)
    if bool((a == a[0]).all()) or bool((b == b[0]).all()):
        return None
    return float(torch.corrcoef(torch.stack([a.double(), b.double()]))[0, 1].clamp(-1.0, 1.0))
