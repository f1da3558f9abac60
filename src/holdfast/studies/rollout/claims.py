"""Which of the document's claims came out, from the rows alone, with intervals over seeds and users."""

from collections.abc import Iterable, Sequence

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.measure.claims import MEMBERS, Claim, details, heads_corrected, weakest_of
from holdfast.measure.estimate import Estimate, together, two_jackknives
from holdfast.measure.grouped import GROUP, GROUPS
from holdfast.measure.reduce import Interval, spread, t_quantile
from holdfast.studies.rollout.names import GRADIENT, ROLLOUT, STRONG
from holdfast.studies.rollout.published_tables import RECALL, published
from holdfast.studies.rollout.questions import (
    OURS,
    Part,
    Place,
    Question,
    correlation,
    counts,
    questions,
)
from holdfast.study.measurement import Measurement, QuantityKey
from holdfast.study.published_number import Published
from holdfast.study.ranges import range_of

BOTH, NEXT = "seeds and users", "the next seed"
NEAR = 0.02  # of recall@10 %

Sums = Float[Tensor, "G 2"]  # of each group of users the sum and the count
Table = dict[tuple[Place, QuantityKey], dict[str, Sums]]


def own_claims(rows: Iterable[Measurement]) -> list[Claim]:
    """The answers to all questions that these rows can answer, of one data set after the other: the claims,
    each with its details. p is corrected over the claims of a data set."""
    kept: dict[str, list[Measurement]] = {}
    for row in rows:
        kept.setdefault(row.data, []).append(row)
    return [line for some in kept.values() for line in _claims(some)]


def _claims(kept: Sequence[Measurement]) -> list[Claim]:
    """Those of one data set."""
    table = sums([row for row in kept if counts(row)])
    places = list(dict.fromkeys(place for place, _ in table))
    groups = [_of_question(table, question) for question in questions(places)]
    return heads_corrected([*groups, _holds(kept), _recalls(kept)])


def sums(rows: Iterable[Measurement]) -> Table:
    """Family and number → seed → the sums of groups of users."""
    table: Table = {}
    for row in rows:
        if row.by == GROUP:
            by_seed = table.setdefault((Place(row.data, row.model), row.what), {})
            by_seed.setdefault(row.member, torch.zeros(GROUPS, 2, dtype=torch.float64))
            by_seed[row.member][int(row.bin)] = torch.tensor([row.value * row.n, row.n], dtype=torch.float64)
    return table


def estimate(table: Table, parts: Sequence[Part], mean: bool) -> Estimate | None:
    """The parts, or their mean, with the error of both choices: which seeds, and which users; None where no
    two seeds have all of it."""
    keys = [(place, what) for part in parts for _, place, what in part.terms]
    if any(key not in table for key in keys):
        return None
    seeds = sorted(set.intersection(*({*table[key]} for key in keys)), key=int)
    if len(seeds) < 2:
        return None
    values = {key: torch.stack([table[key][seed] for seed in seeds]) for key in dict.fromkeys(keys)}

    def number(members: Bool[Tensor, "M"], groups: Bool[Tensor, "G"]) -> Float[Tensor, "P"]:
        means = {key: _mean(sums[members][:, groups]) for key, sums in values.items()}
        each = [
            torch.stack([factor * means[place, what] for factor, place, what in part.terms]).sum()
            + part.constant
            for part in parts
        ]
        stacked = torch.stack(each)
        return stacked.mean(0, keepdim=True) if mean else stacked

    return two_jackknives(number, len(seeds), GROUPS)


def _mean(table: Float[Tensor, "M G 2"]) -> Float[Tensor, ""]:
    total = table.sum(1)
    return (total[:, 0] / total[:, 1]).nanmean()


def _of_question(table: Table, question: Question) -> list[Claim]:
    """The claim of all parts that were measured, then each of them."""
    each = [
        (part, number) for part in question.parts if (number := estimate(table, [part], False)) is not None
    ]
    measured = [part for part, _ in each]
    whole = estimate(table, measured, not question.every) if measured else None
    if whole is None:
        return []
    lines = [_claim(question, [part], number, BOTH, detail=True) for part, number in each]
    return [_claim(question, measured, whole, BOTH), *details(lines)]


def _claim(
    question: Question, parts: Sequence[Part], estimated: Estimate, over: str, detail: bool = False
) -> Claim:
    place, known, p, p_least = weakest_of(estimated, question.least)
    return Claim(
        question.claim,
        parts[0].name if detail else " and ".join(question.data),
        question.published,
        known.interval(place),
        p,
        p_least,
        least=question.least,
        weakest=parts[place].name if len(estimated.value) > 1 else "",
        over=over,
        detail=detail,
    )


def _alone(
    question: Question, parts: Sequence[Part], estimates: Sequence[Estimate], over: str
) -> list[Claim]:
    """A claim of which every part has an estimate of its own: all must be above 0."""
    if not parts:
        return []
    lines = [_claim(question, [p], e, over, detail=True) for p, e in zip(parts, estimates, strict=True)]
    return [_claim(question, parts, together(estimates), over), *details(lines)]


def _holds(rows: Sequence[Measurement]) -> list[Claim]:
    """Would another seed find a strong correlation of rollout and gradient too?"""
    values = _members(rows, correlation(GRADIENT, ROLLOUT))
    parts = [Part(p.words, ((1.0, p, correlation(GRADIENT, ROLLOUT)),), -STRONG) for p in values]
    question = Question(
        "rollout and gradient correlate strongly (.7 or more) with the next seed too",
        OURS,
        tuple(parts),
        every=True,
    )
    return _alone(question, parts, [next_one(of_place, STRONG) for of_place in values.values()], NEXT)


def next_one(values: Float[Tensor, "M"], above: float = 0.0) -> Estimate:
    """What one more seed would find, less ``above``: the mean, with a prediction's error ``s √(1 + 1/n)``.

    >>> round(next_one(torch.tensor([0.8, 0.9, 1.0])).error.item(), 4)
    0.1155
    """
    many = spread(values)
    error = None if many.n < 2 else torch.tensor([many.sd * (1 + 1 / many.n) ** 0.5], dtype=torch.float64)
    return Estimate(torch.tensor([many.mean - above], dtype=torch.float64), error, many.n - 1, many.n)


def _recalls(rows: Sequence[Measurement]) -> list[Claim]:
    """Is recall within .02 of Table 3.2?"""
    beside = [line for line in published(rows) if line.table == RECALL and line.measured is not None]
    parts = [Part(f"{line.row}, {line.column}", ()) for line in beside]
    about = tuple(dict.fromkeys(line.row.split()[1] for line in beside))
    question = Question(
        f"recall@10 % is within {NEAR} of the published", "Table 3.2", tuple(parts), every=True, about=about
    )
    return _alone(question, parts, [_near(line) for line in beside], MEMBERS)


def _near(line: Published) -> Estimate:
    """How far inside the allowed distance; the error is that of the measured mean."""
    assert line.measured is not None
    value = torch.tensor([NEAR - abs(line.measured - line.published)], dtype=torch.float64)
    if line.low is None or line.high is None:
        return Estimate(value, None, 0, line.n)
    half = max(line.high - line.measured, line.measured - line.low)  # one end may be cut off, at 0 or 1
    error = half / t_quantile(line.n - 1)
    return Estimate(value, torch.tensor([error], dtype=torch.float64), line.n - 1, line.n)


def _members(rows: Sequence[Measurement], what: QuantityKey) -> dict[Place, Float[Tensor, "M"]]:
    """The value of every seed, by family."""
    by_place: dict[Place, list[float]] = {}
    for row in rows:
        mine = row.what
        if row.by == "member" and mine == what and counts(row):
            by_place.setdefault(Place(row.data, row.model), []).append(row.value)
    return {place: torch.tensor(values, dtype=torch.float64) for place, values in by_place.items()}


def prediction(rows: Sequence[Measurement], what: QuantityKey) -> dict[Place, Interval]:
    """The 95 % interval of what one more seed would find, by family."""
    ends = range_of(what.quantity, what.comparison)
    return {
        place: next_one(values).interval().within(*ends) for place, values in _members(rows, what).items()
    }
