"""How numbers and names are written for a reader."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from holdfast.core.catalogue import KINDS, catalogue
from holdfast.core.prose import first_sentence
from holdfast.core.settings import split_joined, split_label
from holdfast.report.charts.select import heading

# The CSS class of a verdict or of a claim's outcome, and a symbol, so that colour is never the only cue.
VERDICTS = {
    "holds": ("good", "●"),
    "shaky": ("fair", "◐"),
    "undecided": ("fair", "?"),
    "does not hold": ("poor", "○"),
    "does not matter": ("poor", "○"),
    "says nothing": ("poor", "○"),
    "not learned": ("poor", "○"),
    "came out": ("good", "●"),
    "not decided": ("fair", "◐"),
}
RECALL = "how often the true next item is among the first tenth of the candidates"
LITTLE = 2.0
"""Times an even share: below it, what is strongest hardly stands out."""
MANY = 10_000
"""A ratio beyond it says no more than that."""


@dataclass(frozen=True)
class Badge:
    """A verdict as a page shows it: its word, its CSS class and its symbol."""

    word: str
    tone: str
    sign: str


def badge(verdict: object) -> Badge:
    """The badge of a verdict; what is not a verdict gets the neutral one.

    >>> badge("holds").tone, badge(None).word
    ('good', 'says nothing')
    """
    word = verdict if isinstance(verdict, str) and verdict else "says nothing"
    return Badge(word, *VERDICTS.get(word, ("none", "–")))


def number(value: object, digits: int = 2) -> str:
    """A number in fixed digits, with a real minus; a dash where there is none.

    >>> number(0.816), number(-0.02), number(None), number(0.00021)
    ('0.82', '−0.02', '–', '2.1e−4')
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return "–"
    if isinstance(value, int):
        return str(value).replace("-", "−")
    if value and abs(value) < 10 ** -(digits + 1):
        text = re.sub(r"e([+-])0*", r"e\1", f"{value:.1e}").replace("e+", "e")
    else:
        text = f"{value:.{digits}f}"
    return text.replace("-", "−")


def span(values: Sequence[float]) -> str:
    """From the least to the most; nothing where there are none.

    >>> span([0.91, 0.4, 0.5]), span([0.5, 0.501]), span([])
    ('0.40 – 0.91', '0.50', '')
    """
    ends = dict.fromkeys(number(end) for end in (min(values), max(values))) if values else ()
    return " – ".join(ends)


def significant(value: object, digits: int = 3) -> str:
    """A number with so many digits that say something, however small it is.

    >>> significant(0.35), significant(0.000399), significant(-0.0000293), significant(1234.5)
    ('0.350', '0.000399', '−2.9e−5', '1234')
    """
    known = isinstance(value, int | float) and math.isfinite(value)
    if not known or not value:
        return "0" if known else "–"
    size = math.floor(math.log10(abs(value)))  # type: ignore[arg-type]
    return number(float(value), max(0, digits - 1 - size) if size >= -4 else 2)  # type: ignore[arg-type]


def times(value: float) -> str:
    """How many times as large one number is as another: ``×`` where it is larger, ``÷`` where it is smaller.
    Beyond ten thousand times only that is said.

    >>> times(1.386), times(0.0209), times(7.5e8), times(0.0)
    ('× 1.39', '÷ 47.8', 'over × 10000', 'over ÷ 10000')
    """
    sign, size = ("×", value) if value >= 1 else ("÷", 1 / value if value > 0 else math.inf)
    if size > MANY:
        return f"over {sign} {MANY}"
    return f"{sign} {size:.{2 if size < 10 else 1 if size < 100 else 0}f}"


def percent(value: object, digits: int = 1) -> str:
    """A fraction as a percentage.

    >>> percent(0.871)
    '87.1 %'
    """
    known = isinstance(value, int | float) and math.isfinite(value)
    return f"{number(float(value) * 100, digits)} %" if known else "–"  # type: ignore[arg-type]


def describe(kind: str, label: str) -> str:
    """The first sentence of a method's docstring, of each where several are joined; else empty.

    >>> describe("repairs", "no such thing")
    ''
    """
    try:
        known = catalogue(kind) if kind in KINDS else {}
    except ImportError:
        return ""
    classes = [known.get(split_label(part)[0]) for part in split_joined(label, known)]
    return " ".join(first_sentence(cls.__doc__) for cls in classes if cls is not None)


def missed(explainer: str, lost: float | None) -> str:
    """A warning where scores miss more of what they should add up to than the explainer promises.

    >>> missed("integrated_gradients", 0.12)
    'its scores miss more than 5 % of what they should add up to: read them with care'
    >>> missed("integrated_gradients", 0.01), missed("lrp", 0.5)
    ('', '')
    """
    cls = catalogue("explainers").get(split_label(explainer)[0])
    if cls is None or lost is None or lost <= (within := cls.within):  # type: ignore[attr-defined]
        return ""
    return (
        f"its scores miss more than {percent(within, 0)} of what they should add up to: read them with care"
    )


def flat(value: Any, name: str = "") -> list[tuple[str, str]]:
    """Nested settings as (name, value) lines.

    >>> flat({"seeds": [0, 1], "data": {"name": "sst2"}})
    [('seeds', '0, 1'), ('data.name', 'sst2')]
    """
    if isinstance(value, dict):
        return [
            line
            for key, inner in value.items()
            for line in flat(inner, f"{name}.{key}" if name else str(key))
        ]
    if isinstance(value, list | tuple):
        if any(isinstance(inner, dict | list | tuple) for inner in value):
            return [line for i, inner in enumerate(value) for line in flat(inner, f"{name}.{i}")]
        return [(name, ", ".join(map(_plain, value)))]
    return [(name, _plain(value))]


def _plain(value: object) -> str:
    return (
        {None: "–", True: "yes", False: "no"}.get(value, str(value))
        if value is None or isinstance(value, bool)
        else str(value)
    )


__all__ = [
    "Badge",
    "badge",
    "describe",
    "flat",
    "heading",
    "missed",
    "number",
    "percent",
    "significant",
    "span",
    "times",
]
