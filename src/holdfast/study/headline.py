"""The headline of an audit: which explainer to show, which not, and why."""

from collections.abc import Sequence

from holdfast.data.reading import listed
from holdfast.measure.question import ends, places
from holdfast.study.answer import ExplainerVerdict

LAST = ("does not matter", "says nothing", "not learned")
IS = {
    "shaky": "is shaky",
    "does not hold": "does not hold",
    "does not matter": "does not matter to the model",
    "says nothing": "says nothing",
}
SHOWN = 2
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def ranked(rows: Sequence[ExplainerVerdict]) -> list[ExplainerVerdict]:
    """What holds first, then what may hold, then by the lower end; last what fails another question."""
    return sorted(rows, key=_rank)


def headline(rows: Sequence[ExplainerVerdict], part: str) -> str:
    """One sentence about the first of the ranked rows, and about the others; ``part`` is what has a score."""
    first, several = rows[0], len({(row.model, row.repair) for row in rows}) > 1
    name, of = said(first.explainer), f" of {family_name(first)}" if several else ""
    count = number(len(rows))
    if first.verdict == "holds":
        chosen = f"chosen among {count}" if len(rows) > 1 else "the only one asked"
        held = f"{places(first.hold or 0)}, {chosen}{_strongest(first, part)}"
        return f"Show {name}{of}: it holds ({held}){_not(rows)}."
    if first.verdict == "not learned":
        return f"{family_name(first)} has not learned, so its explanations mean nothing."
    held = "" if first.hold is None else f", {places(first.hold)}{ends(first.low, first.high)}"
    best = f", the best of {count} explainers" if len(rows) > 1 else ""
    if first.verdict == "undecided":
        return f"Undecided between {listed(first.between)}: {name}{of}{best}{held}."
    if len(rows) == 1:
        return f"{name}{of} {IS[first.verdict]}{held}."
    return f"No explainer holds: the best of {count}, {name}{of}, {IS[first.verdict]}{held}."


def said(explainer: str) -> str:
    """An explainer's name as a person says it.

    >>> said("integrated_gradients")
    'integrated gradients'
    """
    return explainer.replace("_", " ")


def family_name(row: ExplainerVerdict) -> str:
    """The model, and the repair where there is one."""
    return row.model if row.repair == "none" else f"{row.model} with {row.repair}"


def number(count: int) -> str:
    """A count in a sentence.

    >>> number(5), number(12)
    ('five', '12')
    """
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def _rank(row: ExplainerVerdict) -> tuple[int, float]:
    low = row.low if row.low is not None else row.hold
    if row.verdict in LAST:
        place = 3 + LAST.index(row.verdict)
    else:
        place = 0 if row.verdict == "holds" else 1 if "holds" in row.between else 2
    return place, -(low if low is not None else -1.0)


def _strongest(row: ExplainerVerdict, part: str) -> str:
    if row.same_strongest is None:
        return ""
    return (
        f"; {round(10 * row.same_strongest)} of 10 pairs of re-trained models name the same strongest {part}"
    )


def _not(rows: Sequence[ExplainerVerdict]) -> str:
    """What not to show: explainers that fail and of which no row holds."""
    good = {row.explainer for row in rows if row.verdict in ("holds", "undecided")}
    bad = {row.explainer: row for row in reversed(rows) if row.explainer not in good}
    if not bad:
        return ""
    told = [f"{said(name)} ({_why(row)})" for name, row in list(reversed(bad.items()))[:SHOWN]]
    rest = [f"{number(len(bad) - SHOWN)} more"] if len(bad) > SHOWN else []
    return f"; do not show {listed([*told, *rest], last='or')}"


def _why(row: ExplainerVerdict) -> str:
    if row.verdict in ("does not hold", "shaky") and row.nearest == "another input":
        return f"{row.verdict}: it says much the same of other inputs"
    if row.verdict in ("does not hold", "shaky") and row.nearest == "untrained order":
        return f"{row.verdict}: an untrained network ranks much the same"
    return row.verdict
