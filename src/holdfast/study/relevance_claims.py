"""Five questions to the cells (Chormai §4.3.3, §4.4.4, §5), answered from the cosines of every member.

A question is a number made of mean cosines: a difference, a slope, a spread. Its interval is the jackknife
that leaves the same member (fold or seed) out of every cell and data set, with t(n − 1), so cells are
compared within data sets and within folds; its p is corrected by Holm over the lines it stands among.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.measure.groups import holm
from holdfast.measure.reduce import Interval, jackknife, t_quantile
from holdfast.study.relevance_names import (
    CELLS,
    DEPTH,
    GATED,
    METHODS,
    cell_of,
    cosines_of_members,
    data_of,
)
from holdfast.study.table import Row

LEVEL = 0.05
WORTH = 0.01  # of cosine: a smaller effect is none
ALL = "all methods"
_ASKED = tuple(name for name in METHODS if name != "simple_taylor")
_PROPAGATE, _REST = ("deep_taylor", "lrp"), ("sensitivity", "guided_backprop")

Means = Float[Tensor, "D C X"]


@dataclass(frozen=True)
class Answer:
    """One claim, one measured number in units of cosine, and whether it came out.

    ``p`` is two-sided, ``corrected`` is Holm's; ``detail`` marks lines by data set or method below a claim.
    """

    claim: str
    where: str
    explainer: str
    published: str
    measured: Interval
    p: float | None
    corrected: float | None
    detail: bool = False

    @property
    def verdict(self) -> str:
        """Came out, did not (the interval leaves no room for an effect worth the name), or open."""
        if self.corrected is None or self.measured.high is None:
            return "not decided"
        if self.measured.value > 0 and self.corrected <= LEVEL:
            return "came out"
        return "did not come out" if self.measured.high < WORTH else "not decided"


@dataclass(frozen=True)
class Question:
    """A claim, the cells it is about, and the number that answers it, of mean cosines per cell."""

    claim: str
    published: str
    cells: tuple[str, ...]
    number: Callable[[Means], float]
    split: bool = True  # whether the number also makes sense for one method alone


@dataclass(frozen=True)
class Cosines:
    """The cosine of every member, for the data sets that have all of these cells and methods."""

    data: tuple[str, ...]
    methods: tuple[str, ...]
    values: Float[Tensor, "D C X M"]


def own_claims(rows: Iterable[Row]) -> list[Answer]:
    """The answers to all questions that these rows can answer: first the claims, each with its details."""
    kept = cosines_of_members(rows)
    groups = [_answers(kept, question) for question in _questions(kept)]
    whole = _holm([group[0] for group in groups if group])
    return [
        line for first, group in zip(whole, filter(None, groups), strict=True) for line in (first, *group[1:])
    ]


def _questions(rows: Sequence[Row]) -> list[Question]:
    there = tuple(sorted({cell_of(row.model) for row in rows} & {*CELLS, *GATED}))
    gates = torch.tensor([cell in GATED for cell in there])
    found = [
        Question("deeper cells are explained better", "yes (Figure 4.12)", DEPTH, _slope),
        Question(
            "the R-LSTM is explained better than the deep cell",
            "yes, by every method (Figure 4.17)",
            ("deep", "rlstm"),
            _gain,
        ),
        Question(
            "stationary dropout helps the R-LSTM",
            "on FashionMNIST-MAJ, hardly on MNIST-MAJ (Figure 4.17)",
            ("rlstm", "rlstm_sd"),
            _gain,
        ),
        Question(
            "literal connections hurt",
            "ConvR-LSTM-SD yes, ConvDeep not always (Figure 4.20)",
            ("conv+deep", "convdeep", "conv+rlstm_sd", "convrlstm_sd"),
            _gain,
        ),
        Question(
            "deep Taylor and LRP depend most on the cell",
            "yes (Figure 4.12, Appendix 2)",
            DEPTH,
            _sensitivity,
            split=False,
        ),
    ]
    if set(CELLS) <= set(there):  # "of all" wants all
        best = Question(
            "the best explained of all cells is an R-LSTM",
            "yes: ConvR-LSTM-SD (§5)",
            there,
            lambda means: _best(means, gates),
        )
        found.insert(2, best)
    return found


def _slope(means: Means) -> float:
    """Least squares over the places 0, 1, 2, 3: what one step deeper adds."""
    places = torch.arange(means.shape[1], dtype=means.dtype)
    places = places - places.mean()
    return float((means.mean((0, 2)) * places).sum() / places.square().sum())


def _gain(means: Means) -> float:
    """Every second cell over the one before it."""
    each = means.mean((0, 2))
    return float((each[1::2] - each[0::2]).mean())


def _best(means: Means, gates: Tensor) -> float:
    each = means.mean((0, 2))
    return float(each[gates].max() - each[~gates].max())


def _sensitivity(means: Means) -> float:
    """How far the cells lie apart (standard deviation of their means) under the less sensitive of deep Taylor
    and LRP, over the more sensitive of the others."""
    apart = means.std(1).mean(0)
    inside = torch.tensor([name in _PROPAGATE for name in (*_REST, *_PROPAGATE)])
    return float(apart[inside].min() - apart[~inside].max())


def _answers(rows: Sequence[Row], question: Question) -> list[Answer]:
    """The claim over everything, then by data set, then by method."""
    asked = (*_REST, *_PROPAGATE) if not question.split else _present(rows, _ASKED)
    whole = cosines(rows, question.cells, asked)
    if whole is None:
        return []
    found = [_answer(question, whole, ALL)]
    by_data: list[Answer] = []
    if len(whole.data) > 1:
        for place, name in enumerate(whole.data):
            one = Cosines((name,), whole.methods, whole.values[place : place + 1])
            by_data.append(_answer(question, one, ALL, detail=True))
    by_method = []
    for method in _present(rows, METHODS) if question.split else ():
        alone = cosines(rows, question.cells, (method,))
        if alone is not None:
            by_method.append(_answer(question, alone, method, detail=True))
    return [*found, *_holm(by_data), *_holm(by_method)]


def _present(rows: Sequence[Row], methods: Sequence[str]) -> tuple[str, ...]:
    there = {row.explainer for row in rows}
    return tuple(name for name in methods if name in there)


def _answer(question: Question, table: Cosines, method: str, detail: bool = False) -> Answer:
    n = table.values.shape[-1]
    measured = jackknife(lambda keep: question.number(table.values[..., keep].mean(-1)), n)
    p = p_value(measured)
    return Answer(
        question.claim, " and ".join(table.data), method, question.published, measured, p, p, detail
    )


def cosines(rows: Iterable[Row], cells: Sequence[str], methods: Sequence[str]) -> Cosines | None:
    """The cosines of the members that every one of these cells and methods has; None where none do."""
    table: dict[tuple[str, str, str], dict[str, float]] = {}
    for row in rows:
        table.setdefault((data_of(row.data), cell_of(row.model), row.explainer), {})[row.bin] = row.value
    keys = [(cell, method) for cell in cells for method in methods]
    data = [
        name for name in dict.fromkeys(key[0] for key in table) if all((name, *key) in table for key in keys)
    ]
    if not data or not keys:
        return None
    common = set.intersection(*({*table[name, *key]} for name in data for key in keys))
    if len(common) < 2:
        return None
    members = sorted(common)
    values = [[[[table[d, c, x][m] for m in members] for x in methods] for c in cells] for d in data]
    return Cosines(tuple(data), tuple(methods), torch.tensor(values, dtype=torch.float64))


def p_value(interval: Interval) -> float | None:
    """Student's two-sided p of a value whose 95 % interval is known; None without an interval.

    >>> round(p_value(Interval(1.0, 0.0, 2.0, 8)), 3)
    0.05
    """
    from scipy.special import stdtr

    if interval.low is None or interval.high is None:
        return None
    half = (interval.high - interval.low) / 2
    if half == 0:
        return 1.0 if interval.value == 0 else 0.0
    t = abs(interval.value) / half * t_quantile(interval.n - 1)
    return float(2 * stdtr(interval.n - 1, -t))


def _holm(answers: Sequence[Answer]) -> list[Answer]:
    known = [answer for answer in answers if answer.p is not None]
    corrected = iter(holm([answer.p for answer in known if answer.p is not None]))
    return [a if a.p is None else replace(a, corrected=next(corrected)) for a in answers]
