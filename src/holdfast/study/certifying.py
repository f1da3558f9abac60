"""How far attention can be moved: SEAT's Definition 2, of students and of their like without a repair."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.compare.topk_overlap import TopkOverlap
from holdfast.core.settings import label, parts_of
from holdfast.measure.certificate import (
    BALL,
    QUANTILES,
    Certificate,
    Definition,
    certified,
    quantiles,
    stable_radius,
)
from holdfast.measure.reduce import mean_over_members
from holdfast.repair.seat import Seat
from holdfast.study.attending import MakeRow
from holdfast.study.measure import Measurer
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult, family_of
from holdfast.train.family import Family
from holdfast.train.job import stack
from holdfast.train.repair import Tensors
from holdfast.train.seats import chosen

MOST = 100  # examples
SHARES = (0.25, 0.5, 1.0, 2.0)  # of the repair's own radius
FEWER = 10  # random points in the balls of another radius
LIMIT = 0.02  # nats: then no class's probability moves by more than √(0.02 / 2) = 0.1 (Pinsker)
MARGIN = 1e-3  # nats: where random search finds so much more, the ascent was weak
NUMBERS = {
    "teacher_distance": "gamma_kl",
    "worst_case": "alpha_kl",
    "worst_case_ascent": "ascent_kl",
    "worst_case_random": "random_kl",
    "teacher_overlap": "beta",
}
"""What is measured, by the names that it has in the certificate: nats of KL, and the last one a share."""
EACH = ("teacher_distance", "worst_case", "teacher_overlap")

Listener = Callable[[int, int], None]


class Measured(NamedTuple):
    """The certificates of a family, and the worst case in balls of several ``radii``."""

    asked: Definition
    own: Certificate
    radii: Float[Tensor, "R"]
    worst: Float[Tensor, "R M K"]

    @property
    def stable(self) -> Float[Tensor, "M K"]:
        """The largest of the radii up to which the worst case stays within the limit."""
        return torch.stack([stable_radius(one, self.radii, LIMIT) for one in self.worst.unbind(1)])


def certificate_rows(
    families: Sequence[FamilyResult], listen: Listener = lambda done, total: None
) -> list[Measurement]:
    """The rows of every family that learned by ``seat``, alone or joined to others, and of the family without
    a repair beside it.

    That one is its own teacher: γ is 0, β is 1, and α is what a model reaches that was not repaired. It is
    asked in the ball of each student, whose name its rows have as ``other_repair``; those of a student have
    the teacher's.
    """
    pairs = [(one, seat) for one in families if (seat := seat_of(one)) is not None]
    known: dict[tuple[int, Definition], Measured] = {}
    rows: list[Measurement] = []
    for number, (student, seat) in enumerate(pairs):
        listen(number, len(pairs))
        teacher, asked = dict(student.job.teachers)[""], definition_of(seat)
        given = stack([teacher.given(member) for member in student.members])
        rows += _rows(student, measured(student, asked, given), teacher.repair)
        for place, plain in enumerate(families):
            if (plain.data, plain.model, plain.repair) == (student.data, student.model, "none"):
                if (place, asked) not in known:
                    known[place, asked] = measured(plain, asked)
                rows += _rows(plain, known[place, asked], student.repair)
        listen(number + 1, len(pairs))
    return rows


def seat_of(family: FamilyResult) -> Seat | None:
    """The settings by which a family learned from a teacher in SEAT's sense, if it did."""
    repair = family.job.repair_settings
    return next((part for part in (repair, *parts_of(repair)) if isinstance(part, Seat)), None)


def definition_of(seat: Seat) -> Definition:
    """What a student is asked: its own k and the ball it was trained in, searched in 20 steps or as many as
    it had.

    >>> definition_of(Seat(radius=0.3, steps=5)).ball
    Ball(radius=0.3, norm='l2', steps=20, size=None)
    """
    ball = replace(seat.ball, steps=max(BALL.steps, seat.steps), size=None)
    return Definition(ball, k=seat.k, renormalised=seat.renormalised)


def rows_of(family: FamilyResult) -> Int[Tensor, "K"]:
    """At most 100 of the explained rows, the same for all families that explain the same."""
    order = chosen(len(family.targets))
    return order[torch.isin(order, family.rows)][:MOST].sort().values


def measured(family: FamilyResult, asked: Definition, teachers: Tensors | None = None) -> Measured:
    """The certificates in the ball that is asked, and the worst case in smaller and larger ones; without
    ``teachers`` each member is its own."""
    own, split, rows = family_of(family), family.dataset.splits["test"], rows_of(family)
    given = teachers or own.parameters
    on_device = {name: tensor.to(family.device) for name, tensor in given.items()}
    taught_by = Family(own.architecture, own.task, own.members, on_device)
    found = {}
    for share in SHARES:
        ball = replace(asked.ball, radius=share * asked.ball.radius)
        settings = asked if share == 1 else replace(asked, ball=ball, trials=FEWER)
        found[ball.radius] = certified(own, taught_by, split, rows, settings)
    radii = torch.tensor(list(found), dtype=torch.float64)
    worst = torch.stack([one.alpha_kl.clamp(min=0.0) for one in found.values()])
    return Measured(asked, found[asked.ball.radius], radii, worst)


def _rows(family: FamilyResult, found: Measured, other: str) -> Iterator[Measurement]:
    """Means over examples, then over members; each example's own mean over members; quantiles over all."""
    row, asked = Measurer(family).row, found.asked
    about = {"other_repair": other, "at": asked.ball.radius}
    all_quantiles = quantiles(found.own)
    for quantity, name in NUMBERS.items():
        by = {"comparison": label(TopkOverlap(asked.k)) if name == "beta" else "kl"} | about
        values = getattr(found.own, name).clamp(min=0.0)  # less by rounding alone
        yield row(quantity, mean_over_members(values.mean(1)), **by)
        yield from _quantiles(row, quantity, all_quantiles[name].clamp(min=0.0), by)
        if quantity in EACH:
            yield from _examples(row, quantity, values, rows_of(family), by)
    missed = found.own.random_kl > found.own.ascent_kl + MARGIN
    yield row("ascent_missed", mean_over_members(missed.double().mean(1)), **about)
    for at, worst in zip(found.radii.tolist(), found.worst, strict=True):
        place = {"comparison": "kl", "by": "radius", "bin": f"{at:g}", "at": at}
        yield row("worst_case", mean_over_members(worst.mean(1)), **(about | place))
    yield row("stable_radius", mean_over_members(found.stable.mean(1)), **about)
    yield from _examples(row, "stable_radius", found.stable, rows_of(family), about)


def _quantiles(
    row: MakeRow, quantity: str, values: Float[Tensor, "Q"], about: dict[str, object]
) -> Iterator[Measurement]:
    for at, value in zip(QUANTILES, values.tolist(), strict=True):
        yield row(quantity, value, **(about | {"by": "quantile", "bin": f"{at:g}", "at": at}))


def _examples(
    row: MakeRow,
    quantity: str,
    values: Float[Tensor, "M K"],
    rows: Int[Tensor, "K"],
    about: dict[str, object],
) -> Iterator[Measurement]:
    for number, own in zip(rows.tolist(), values.unbind(1), strict=True):
        place = {"by": "example", "bin": str(number), "at": float(number)}
        yield row(quantity, mean_over_members(own), **(about | place))
