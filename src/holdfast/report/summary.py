"""The first screen of a report: the headline, what to do, and the hold that decides on its scale."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holdfast.measure.survives import HOLDS, SHAKY
from holdfast.report.charts.select import short
from holdfast.report.impostors import impostor
from holdfast.report.marks import split_command
from holdfast.report.modality import Unit
from holdfast.report.page import Span
from holdfast.report.texts import Badge, badge, percent
from holdfast.study.answer import Answer, ExplainerVerdict
from holdfast.study.headline import briefly, family_name

LIMITS = (SHAKY, HOLDS)
CLASSES, LONGEST = 3, 24  # so many classes are named, with so many letters


@dataclass(frozen=True)
class Fact:
    """A number that stands under the headline."""

    name: str
    value: str
    beside: str = ""


@dataclass(frozen=True)
class Summary:
    """``do`` is a sentence, ``command`` what to type for it; ``about`` names what the scale shows."""

    badge: Badge
    headline: str
    reason: str
    do: str
    command: str
    hold: Span
    about: str
    meaning: str
    facts: tuple[Fact, ...]
    gone: tuple[str, ...]


def summary(answer: Answer, unit: Unit) -> Summary:
    """What the first screen shows of an answer."""
    row = answer.row
    do, command = split_command(answer.do)
    return Summary(
        badge=badge(answer.verdict),
        headline=answer.headline,
        reason=answer.reason,
        do=do,
        command=command,
        hold=Span(None) if row is None else Span(row.hold, row.low, row.high, scaled=True),
        about="" if row is None else f"{briefly(row.explainer, answer.rows)}, {family_name(row)}",
        meaning="" if row is None or row.hold is None else meaning(row, unit),
        facts=facts(answer),
        gone=tuple(f"Seed {out['seed']} was left out: {out['why']}." for out in answer.members.left_out),
    )


def meaning(row: ExplainerVerdict, unit: Unit) -> str:
    """What hold is, and what the impostor that it is measured against is."""
    nearest = impostor(row.nearest, unit)
    here = f" Here the nearest is “{row.nearest}”: {nearest}." if nearest else ""
    return (
        "Hold is the share of an explanation that is still there when the model is trained again with "
        "another seed: 1 is the same again, 0 is no closer than an impostor, an explanation that knows "
        f"nothing.{here} From {HOLDS} it holds, below {SHAKY} it does not; the whole 95 % interval counts."
    )


def facts(answer: Answer) -> tuple[Fact, ...]:
    """How good the models are, and how many there are."""
    quality = answer.quality
    f1 = quality.get("f1") or {}
    chance = "" if quality.get("chance") is None else f"; {percent(quality['chance'])} by chance"
    measured = [(str(quality.get("metric", "accuracy")), quality, chance)]
    measured += [("macro-F1", f1["macro"], f"; {by_class(f1['by_class'])}")] if f1 else []
    left_out = len(answer.members.left_out)
    return (
        *(
            Fact(name, percent(of["mean"]), f"{_spread(of, answer)}{more}")
            for name, of, more in measured
            if of.get("mean") is not None
        ),
        Fact("seeds", str(answer.members.trained), f"{left_out} left out" if left_out else ""),
    )


def _spread(measured: Mapping[str, Any], answer: Answer) -> str:
    """How much it differs between members, where there are several."""
    return f"± {percent(measured.get('sd'))} over seeds" if answer.members.trained != 1 else "in one model"


def by_class(f1: Mapping[str, float]) -> str:
    """The F1 of each class by its name; where there are many, of the two lowest.

    >>> by_class({"negative": 0.59, "positive": 0.619}), by_class({"a": 0.1, "b": 0.3, "c": 0.2, "d": 0.4})
    ('negative: 59.0 %, positive: 61.9 %', 'lowest for a: 10.0 %, c: 20.0 %')
    """
    told = list(f1.items()) if len(f1) <= CLASSES else sorted(f1.items(), key=lambda pair: pair[1])[:2]
    few = "" if len(f1) <= CLASSES else "lowest for "
    return few + ", ".join(f"{short(name, LONGEST)}: {percent(value)}" for name, value in told)
