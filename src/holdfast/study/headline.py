"""The headline of an audit: which explainer to show, which not, and why."""

from collections.abc import Sequence
from typing import Protocol

from holdfast.data.reading import listed
from holdfast.measure.question import ends, places
from holdfast.measure.verdict import quoted
from holdfast.study.answer import Answer, ExplainerVerdict
from holdfast.study.unasked import WHETHER

LAST = ("does not matter", "says nothing", "not learned")
IS = {
    "shaky": "is shaky",
    "does not hold": "does not hold",
    "does not matter": "does not matter to the model",
    "says nothing": "says nothing",
}
HELD = ("shaky", "does not hold")
SHOWN = 2
NAMES = {
    "scores": "this explanation",
    "lrp": "LRP",
    "deep_taylor": "deep Taylor",
    "simple_taylor": "simple Taylor",
}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Called(Protocol):
    """What has a model and a repair."""

    @property
    def model(self) -> str: ...

    @property
    def repair(self) -> str: ...


def ranked(rows: Sequence[ExplainerVerdict]) -> list[ExplainerVerdict]:
    """What holds first, then what may hold, then by the lower end; last what fails another question."""
    return sorted(rows, key=_rank)


def headline(rows: Sequence[ExplainerVerdict], part: str) -> str:
    """One sentence about the first of the ranked rows, and about the others; ``part`` is what has a score."""
    first, several = rows[0], len({(row.data, row.model, row.repair) for row in rows}) > 1
    if first.verdict == "not learned":
        return (
            "No model has learned, so no explanation means anything."
            if several
            else f"The {family_name(first)} models have not learned, so their explanations mean nothing."
        )
    name = briefly(first.explainer, rows) + (f" of {family_name(first)}" if several else "")
    count = number(len(rows)) + (" pairs of model and explainer" if several else " explainers")
    if first.verdict == "holds":
        chosen = f"chosen among {count}" if len(rows) > 1 else "the only one asked"
        because = f"({_hold(first)}, {chosen}{_strongest(first, part)}){_not(rows)}."
        left = _unasked(first)
        asked = f"As far as it was asked, {name} holds {because} Not asked: {left}."
        return asked if left else f"Show {name}: it holds {because}"
    if first.verdict == "undecided":
        best = f", the best of {count}," if len(rows) > 1 else ""
        if first.deciding is not None and first.deciding.answer == "not asked":
            which = name if len(rows) == 1 else f"any of {count}"
            return f"Undecided: nobody can say whether {which} survives another seed."
        return f"Undecided: {name}{best} lies between {quoted(first.between)} ({_hold(first)})."
    is_so = f"{IS[first.verdict]} ({_hold(first)})" if first.verdict in HELD else IS[first.verdict]
    if len(rows) == 1:
        return f"Do not show {name}: it {is_so}."
    return f"Show {'neither' if len(rows) == 2 else 'none'} of the {count}: the best, {name}, {is_so}."


def said(explainer: str) -> str:
    """An explainer's name as a person says it; the name of code outside the package stays as it is.

    >>> said("integrated_gradients"), said("lrp:rule=epsilon"), said("my_module.py:Mine")
    ('integrated gradients', 'LRP:rule=epsilon', 'my_module.py:Mine')
    """
    name, colon, settings = explainer.partition(":")
    return explainer if "." in name else f"{NAMES.get(name, name.replace('_', ' '))}{colon}{settings}"


def briefly(explainer: str, rows: Sequence[ExplainerVerdict]) -> str:
    """An explainer's name without its settings, where no other explainer of these rows has that name."""
    name = explainer.partition(":")[0]
    same = {row.explainer for row in rows if row.explainer.partition(":")[0] == name}
    return said(explainer if "." in name or len(same) > 1 else name)


def family_name(row: Called) -> str:
    """The model, and the repair where there is one."""
    return row.model if row.repair == "none" else f"{row.model} with {row.repair}"


def subject(answer: Answer) -> str:
    """Which family the answer is about, where there are several: `` (cnn with aswa)``."""
    families = {(row.data, row.model, row.repair) for row in answer.rows}
    return f" ({family_name(answer.row)})" if answer.row is not None and len(families) > 1 else ""


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


def _hold(row: ExplainerVerdict) -> str:
    """The hold that decides, on its scale from 0 to 1, where its interval ends, as everywhere else."""
    asked = row if row.changed is None else row.changed
    held = row.hold if row.changed is None else row.changed.value
    value, low, high = (
        None if end is None else min(max(end, 0.0), 1.0) for end in (held, asked.low, asked.high)
    )
    of = "" if row.changed is None else " when the input changes a little"
    return "no hold" if value is None else f"hold {places(value)}{ends(low, high)}{of}"


def _unasked(row: ExplainerVerdict) -> str:
    """What of the chain was not asked."""
    unasked = [q.name for q in row.questions if q.answer == "not asked" and q.decides]
    return listed([WHETHER[name] for name in unasked]) if unasked else ""


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
    told = [f"{briefly(name, rows)} ({_why(row)})" for name, row in list(reversed(bad.items()))[:SHOWN]]
    rest = [f"{number(len(bad) - SHOWN)} more"] if len(bad) > SHOWN else []
    return f"; do not show {listed([*told, *rest], last='or')}"


def _why(row: ExplainerVerdict) -> str:
    if row.verdict in HELD and row.changed is not None:
        return f"{row.verdict} when the input changes a little"
    if row.verdict in HELD and row.nearest == "another input":
        return f"{row.verdict}: it says much the same of other inputs"
    if row.verdict in HELD and row.nearest == "untrained order":
        return f"{row.verdict}: an untrained network ranks much the same"
    return row.verdict
