"""Do several groups differ, and which? Analysis of variance, Tukey's differences, Holm's correction."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from operator import mul
from typing import NamedTuple

from holdfast.core.errors import BadSetting
from holdfast.measure.reduce import Interval

Column = list[float]
Matrix = list[list[float]]


@dataclass(frozen=True)
class Observation:
    """One value of one group; ``block`` is a factor that also moves values but is not of interest (a data
    set, a fold)."""

    value: float
    group: str
    block: str = ""


@dataclass(frozen=True)
class Anova:
    """Sums of squares between and within groups, and over all; degrees of freedom of the first two."""

    between: float
    within: float
    total: float
    freedom: int
    rest: int

    @property
    def f(self) -> float:
        """``F = (between / freedom) / (within / rest)``; 0 where nothing differs at all."""
        if self.between <= 0:
            return 0.0
        return self.between / self.freedom / (self.within / self.rest) if self.within > 0 else math.inf

    @property
    def p(self) -> float:
        """How likely so large an F is if the groups do not differ."""
        from scipy.special import fdtrc

        return float(fdtrc(self.freedom, self.rest, self.f)) if math.isfinite(self.f) else 0.0

    @property
    def eta_squared(self) -> float:
        """The share of the total variation that lies between groups."""
        return self.between / self.total if self.total > 0 else 0.0


@dataclass(frozen=True)
class Contrast:
    """How much ``other`` exceeds ``group``: Tukey's simultaneous 95 % interval and p.

    ``corrected`` is p after Holm's correction over the methods tested (p itself where there is one).
    """

    method: str
    group: str
    other: str
    difference: Interval
    p: float
    corrected: float


def anova(observations: Sequence[Observation]) -> Anova:
    """Do groups differ? One-way analysis of variance, in blocks where there are any (no interaction).

    >>> rows = [Observation(x, g) for g, xs in (("a", (1.0, 2.0, 3.0)), ("b", (3.0, 4.0, 5.0))) for x in xs]
    >>> round(anova(rows).f, 3), round(anova(rows).eta_squared, 3)
    (6.0, 0.6)
    """
    groups, y, columns = _design(observations)
    parts = (columns, [columns[0], *columns[len(groups) :]], columns[:1])
    within, without, total = (_fit(part, y).left for part in parts)
    return Anova(max(without - within, 0.0), within, total, len(groups) - 1, len(y) - len(columns))


def tukey(observations: Sequence[Observation], method: str = "") -> list[Contrast]:
    """Which groups differ? Tukey's honest significant differences of every two groups, by name.

    ``x̄_other − x̄_group ± q₀.₉₅(k, ν) · se/√2`` with the standard error of least squares: Tukey–Kramer without
    blocks; with blocks, what a block adds to every group is removed first. Folds share training data, so p
    is a little too small there, as in the document (Chormai Appendix 2).

    >>> rows = [Observation(x, g) for g, xs in (("a", (1.0, 2.0, 3.0)), ("b", (3.0, 4.0, 5.0))) for x in xs]
    >>> tukey(rows)[0].difference.value, round(tukey(rows)[0].p, 3)
    (2.0, 0.07)
    """
    groups, y, columns = _design(observations)
    fit, rest = _fit(columns, y), len(y) - len(columns)
    count = {name: sum(o.group == name for o in observations) for name in groups}
    contrasts = []
    for i, j in combinations(range(len(groups)), 2):
        along = {j: 1.0} | ({i: -1.0} if i else {})  # the first group's level is the intercept: no column
        spread = math.fsum(a * b * fit.inverse[u][v] for u, a in along.items() for v, b in along.items())
        value = math.fsum(sign * fit.fitted[place] for place, sign in along.items())
        se = math.sqrt(fit.left / rest * spread)
        p, half = _studentised(value, se, len(groups), rest)
        n = count[groups[i]] + count[groups[j]]
        contrasts.append(
            Contrast(method, groups[i], groups[j], Interval(value, value - half, value + half, n), p, p)
        )
    return contrasts


def tukey_by_method(methods: Mapping[str, Sequence[Observation]]) -> list[Contrast]:
    """Is one group above another by several methods? Tukey within each, Holm's correction over them.

    For every pair of groups the chance of any false claim over the methods stays below 5 %; for every method
    so does the chance over the pairs.
    """
    contrasts = [contrast for name, rows in methods.items() for contrast in tukey(rows, name)]
    pairs: dict[tuple[str, str], list[Contrast]] = {}
    for contrast in contrasts:
        pairs.setdefault((contrast.group, contrast.other), []).append(contrast)
    corrected = {pair: holm([c.p for c in same]) for pair, same in pairs.items()}
    return [
        replace(c, corrected=corrected[c.group, c.other][pairs[c.group, c.other].index(c)]) for c in contrasts
    ]


def holm(ps: Sequence[float]) -> list[float]:
    """Holm's (1979) correction: the k-th smallest of m becomes ``max_{j ≤ k} (m − j + 1) p_(j)``, at most 1.

    >>> holm([0.03, 0.01, 0.02])
    [0.04, 0.03, 0.04]
    """
    order = sorted(range(len(ps)), key=lambda i: ps[i])
    corrected, floor = [0.0] * len(ps), 0.0
    for done, i in enumerate(order):
        floor = max(floor, min(1.0, (len(ps) - done) * ps[i]))
        corrected[i] = floor
    return corrected


def _design(observations: Sequence[Observation]) -> tuple[list[str], list[float], list[Column]]:
    """Groups by name, values, and columns: 1, every group but the first, every block but the first."""
    groups, blocks = sorted({o.group for o in observations}), sorted({o.block for o in observations})
    if len(groups) < 2:
        raise BadSetting(f"comparing groups needs at least two, but there are {len(groups)}")
    y = [o.value for o in observations]
    if not all(map(math.isfinite, y)):
        raise BadSetting("expected every observation to be a finite number, but some are NaN or infinite")
    columns: list[Column] = [[1.0] * len(y)]
    columns += [[float(o.group == name) for o in observations] for name in groups[1:]]
    columns += [[float(o.block == name) for o in observations] for name in blocks[1:]]
    if len(y) <= len(columns) or _inverse(_products(columns)) is None:
        raise BadSetting(
            f"{len(y)} observations cannot tell {len(groups)} groups in {len(blocks)} blocks apart: "
            "give every group more of them, in the same blocks"
        )
    return groups, y, columns


class _Fit(NamedTuple):
    """Least squares: the coefficients, (XᵀX)⁻¹, and the sum of squares that is left."""

    fitted: list[float]
    inverse: Matrix
    left: float


def _fit(columns: Sequence[Column], y: Sequence[float]) -> _Fit:
    """By hand, because library routines may differ in the last digit from call to call, and a study's table
    must not. A remainder of the size of rounding counts as 0."""
    inverse = _inverse(_products(columns))
    assert inverse is not None
    along = [math.fsum(map(mul, column, y)) for column in columns]
    fitted = [math.fsum(map(mul, line, along)) for line in inverse]
    rows = zip(y, zip(*columns, strict=True), strict=True)
    left = math.fsum((value - math.fsum(map(mul, row, fitted))) ** 2 for value, row in rows)
    return _Fit(fitted, inverse, left if left > 1e-24 * math.fsum(value * value for value in y) else 0.0)


def _products(columns: Sequence[Column]) -> Matrix:
    return [[math.fsum(map(mul, a, b)) for b in columns] for a in columns]


def _inverse(matrix: Matrix) -> Matrix | None:
    """By Gauss–Jordan elimination with pivots; None for a singular matrix. Entries here are counts.

    >>> _inverse([[2.0, 0.0], [0.0, 4.0]]), _inverse([[1.0, 1.0], [1.0, 1.0]])
    ([[0.5, 0.0], [0.0, 0.25]], None)
    """
    size = len(matrix)
    rows = [[*line, *(float(i == j) for j in range(size))] for i, line in enumerate(matrix)]
    for i in range(size):
        best = max(range(i, size), key=lambda k: abs(rows[k][i]))
        rows[i], rows[best] = rows[best], rows[i]
        pivot = rows[i][i]
        if abs(pivot) < 1e-9:
            return None
        rows[i] = [value / pivot for value in rows[i]]
        for k in range(size):
            factor = rows[k][i]
            if k != i and factor:
                rows[k] = [value - factor * lead for value, lead in zip(rows[k], rows[i], strict=True)]
    return [line[size:] for line in rows]


@cache  # the claims, the tables and the page of a study need the same pairs of groups
def _studentised(value: float, se: float, groups: int, rest: int) -> tuple[float, float]:
    """p of a difference, and half the width of its interval, by the studentised range."""
    from scipy.stats import studentized_range

    half = _quantile(groups, rest) * se / math.sqrt(2)
    if se == 0:
        return float(abs(value) < 1e-12), half
    return float(studentized_range.sf(abs(value) / se * math.sqrt(2), groups, rest)), half


@cache  # the same for every pair of groups, and the slowest part
def _quantile(groups: int, rest: int) -> float:
    from scipy.stats import studentized_range

    return float(studentized_range.ppf(0.95, groups, rest))
