"""One number for every member and user, as rows: what the document publishes, and what claims are made of.

The document has one run, and the deviation over its users. Here each member has both; the interval is over
members and users (two jackknives, see :mod:`relevance_cosines`), and rows by ``group`` keep the mean of each
member on each tenth of the users, so that claims can be made of rows alone.
"""

from collections.abc import Iterator

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.draws import permutation
from holdfast.core.records import Member
from holdfast.measure.grouped import GROUP, GROUPS, in_groups, mean_over_both
from holdfast.measure.reduce import Interval, mean_over_members
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult


def row(family: FamilyResult, quantity: str, value: Interval | float, **about: object) -> Measurement:
    """One row, with the interval that the value carries."""
    ends = {} if isinstance(value, float) else {"low": value.low, "high": value.high, "n": value.n}
    number = value if isinstance(value, float) else value.value
    return Measurement(family.data, family.model, family.repair, quantity, number, **(ends | about))  # type: ignore[arg-type]


def of_member(member: Member) -> dict[str, object]:
    """How a member's own rows name it."""
    return {"by": "member", "member": str(member.seed), "at": float(member.seed), "n": 1}


def groups(users: int) -> Int[Tensor, "K"]:
    """The tenth that each user is in: the same for every family with as many users."""
    return permutation(users, None, "user groups") % min(GROUPS, max(users, 1))


def over_both(values: Float[Tensor, "M K"]) -> Interval:
    """The mean over users, then members, with the interval over both."""
    everyone = torch.ones_like(values, dtype=torch.bool).cpu()
    return mean_over_both(values.double().cpu(), everyone, groups(values.shape[1]))


def numbers(
    family: FamilyResult,
    quantity: str,
    values: Float[Tensor, "M K"],
    about: dict[str, str],
    known: Bool[Tensor, "M K"] | None = None,
) -> Iterator[Measurement]:
    """The mean, the deviation over users (``…_sd``, divisor K as in numpy), both of each member too, and the
    means of groups of users; ``known`` says which values there are."""
    exists = torch.ones_like(values, dtype=torch.bool) if known is None else known
    kept = [place for place, some in enumerate(exists.any(1).tolist()) if some]
    if not kept:
        return
    values, exists, group = values[kept].double().cpu(), exists[kept].cpu(), groups(values.shape[1])
    members = [family.members[place] for place in kept]
    sds = torch.stack([users[some].std(correction=0) for users, some in zip(values, exists, strict=True)])
    yield row(family, quantity, mean_over_both(values, exists, group), **about)
    yield row(family, f"{quantity}_sd", mean_over_members(sds), **about)
    for member, users, some, sd in zip(members, values, exists, sds.tolist(), strict=True):
        yield row(family, quantity, users[some].mean().item(), **(about | of_member(member)))
        yield row(family, f"{quantity}_sd", sd, **(about | of_member(member)))
    sums, counts = in_groups(values, exists, group)
    for member, totals, many in zip(members, sums.tolist(), counts.tolist(), strict=True):
        for number, (total, count) in enumerate(zip(totals, many, strict=True)):
            if count:
                part = {"member": str(member.seed), "by": GROUP, "bin": str(number), "at": float(number)}
                yield row(family, quantity, total / count, n=int(count), **(about | part))
