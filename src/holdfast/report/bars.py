"""Signed bars: what every column adds to a row's prediction, as all members see it and as each does."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from holdfast.report.charts.select import short
from holdfast.report.heat import Block, Map, blocks
from holdfast.report.modality import Unit
from holdfast.report.order import in_order
from holdfast.report.texts import number
from holdfast.study.answer import ExplainerVerdict
from holdfast.study.findings import Example, Heat

SHOWN, DOTS = 10, 24  # columns, members


@dataclass(frozen=True)
class Bar:
    """One column with its value: where its bar, the span of all members and each of them lie, as CSS
    percentages of the track."""

    name: str
    tone: str
    left: str
    width: str
    low: str
    span: str
    dots: tuple[str, ...]
    text: str
    between: str


@dataclass(frozen=True)
class Bars:
    """One explainer's bars, the largest first, what is said of them, and of the columns that are left out."""

    map: Map
    zero: str
    bars: tuple[Bar, ...]
    rest: str


@dataclass(frozen=True)
class Row:
    """One row of the table under one model: what is predicted, and every explainer's bars."""

    block: Block
    bars: tuple[Bars, ...]


@dataclass(frozen=True)
class Rows:
    """The rows of one family; ``name`` is empty where there is only one."""

    name: str
    rows: tuple[Row, ...]


def bar_rows(
    examples: Sequence[Example], order: Sequence[ExplainerVerdict], room: int, unit: Unit
) -> tuple[Rows, ...]:
    """The rows of each family, in the order of the verdicts, with at most about ``room`` marks in all: the
    members' dots are left out first, then the bars."""
    ordered = in_order(examples, order)
    marks = sum(min(SHOWN, len(e.tokens)) * len(heats) for e, heats in ordered)
    dots = bool(ordered) and marks * (2 + min(DOTS, len(ordered[0][0].seeds))) <= room
    if marks * 2 > room:
        return ()
    each = iter(ordered)
    return tuple(
        Rows(family.name, tuple(_row(block, *next(each), dots) for block in family.blocks))
        for family in blocks(examples, order, 0, unit)
    )


def bars_of(example: Example, heat: Heat, one: Map, dots: bool = True) -> Bars:
    """The bars of one explainer; shares of all weight, so that members of any scale compare.

    They lie on one scale, from the least to the largest that any member says of these columns.
    """
    ranked = sorted(range(len(heat.consensus)), key=lambda place: -abs(heat.consensus[place]))
    shown, hidden = ranked[:SHOWN], ranked[SHOWN:]
    values = [member[place] for member in heat.scores for place in shown]
    least, most = min(0.0, *values, 0.0), max(0.0, *values, 0.0)
    scale = (most - least) or 1.0

    def at(value: float) -> str:
        return f"{100 * (value - least) / scale:.1f}%"

    def bar(place: int) -> Bar:
        own, value = [member[place] for member in heat.scores], heat.consensus[place]
        low, high = min(own), max(own)
        return Bar(
            name=short(example.tokens[place]),
            tone="n" if value < 0 else "p",
            left=at(min(value, 0.0)),
            width=f"{100 * abs(value) / scale:.1f}%",
            low=at(low),
            span=f"{100 * (high - low) / scale:.1f}%",
            dots=tuple(at(value) for value in own[:DOTS]) if dots else (),
            text=percent(value, heat.signed),
            between=f"[{percent(low, heat.signed)}, {percent(high, heat.signed)}]",
        )

    one = replace(one, share="", cut="")  # of heat maps of words
    rest = sum(abs(heat.consensus[place]) for place in hidden)
    left = (
        f"{len(hidden)} more columns, with {percent(rest, False)} % of the weight together." if hidden else ""
    )
    return Bars(one, at(0.0), tuple(map(bar, shown)), left)


def percent(value: float, signed: bool) -> str:
    """A share in percent, with its sign where it has one.

    >>> percent(0.123, True), percent(-0.05, True), percent(0.5, False), percent(-0.0004, True)
    ('+12', '−5', '50', '0')
    """
    whole = number(round(100 * value))
    return f"+{whole}" if signed and value > 0 and whole != "0" else whole


def _row(block: Block, example: Example, heats: Sequence[Heat], dots: bool) -> Row:
    both = zip(heats, block.maps, strict=True)
    return Row(block, tuple(bars_of(example, heat, one, dots) for heat, one in both))
