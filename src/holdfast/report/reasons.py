"""Recommendations with their reasons, for a terminal."""

from rich.console import Group, RenderableType
from rich.text import Text

from holdfast.core.plain import printable
from holdfast.report.nearby import how_near, items_near, took, users_near
from holdfast.report.standing import agreed, held, notes
from holdfast.study.reasons import Reason
from holdfast.study.recommendation import UNEXPLAINED, Recommendation, UserExample

SHOWN = 8


def reasons_table(example: UserExample) -> RenderableType:
    """What a user is recommended, because of what, and how many of the re-trained models agree."""
    seeds = len(example.seeds)
    latest = [printable(item) for item in example.history[-SHOWN:]]
    more = len(example.history) - len(latest)
    known = ("… " if more else "") + ", ".join(latest)
    seen = len(example.history)
    whole = f"{seen + example.cut} {'item' if seen + example.cut == 1 else 'items'}"
    cut = f", of which the models see the latest {seen}" if example.cut else ""
    head = Text(f"{called(printable(example.user))} has a history of {whole}{cut}: {known}\n")
    how = "because of" if example.signed else "with most weight on"
    lines = [_recommendation(place, one, seeds, how) for place, one in enumerate(example.recommendations, 1)]
    if example.neighbours is not None:
        head.append(f"{printable(users_near(example.neighbours, seeds))}\n")
    beside = dict.fromkeys(note for one in example.recommendations for note in notes(one.standing))
    beside |= dict.fromkeys(note for note in (how_near(example),) if note)
    return Group(head, *lines, Text(f"\n{_told(example)}"), *(Text(printable(note)) for note in beside))


def _told(example: UserExample) -> str:
    seeds = f"{len(example.seeds)} models that differ only in their seed"
    if not example.explainer:
        model = printable(example.model)
        return f"{model} reads no history, so no item of it is a reason; neighbours of {seeds}."
    signed = (
        ""
        if example.signed
        else " It has no sign: an item with weight may also speak against the recommendation."
    )
    return f"Reasons from {printable(example.explainer)}, over {seeds}.{signed}"


def _recommendation(place: int, one: Recommendation, seeds: int, how: str) -> Text:
    line = Text(f"{place}. ")
    line.append(printable(one.item), style="bold")
    line.append(f"  ({one.wanted} of {seeds} models recommend it)\n")
    for said in (items_near(one.near, seeds), "" if one.taken is None else took(one.taken)):
        line.append(f"   {printable(said)}\n" if said else "")
    if one.verdict == UNEXPLAINED:
        return line
    if one.has_reasons:
        line.append(_because(how, one.reasons, seeds) or "   no item speaks for it\n")
        line.append(_because("in spite of", one.against, seeds))
    else:
        line.append("   no reason holds across seeds\n")
    hold = held(one.hold, one.low, one.high, one.standing)
    word = "" if one.verdict == "undecided" else f": {one.verdict}"
    line.append(
        f"   Strongest: {agreed(one.agree, seeds, printable(one.strongest))}; {hold}{word}\n", style="dim"
    )
    return line


def called(user: str) -> str:
    """The name of a user, with "User" before it unless it begins so.

    >>> called("42"), called("user 42")
    ('User 42', 'user 42')
    """
    return user if user.lower().startswith("user") else f"User {user}"


def _because(how: str, reasons: tuple[Reason, ...], seeds: int) -> str:
    parts = [f"{printable(one.item)} ({one.agree} of {seeds} agree)" for one in reasons]
    return f"   {how} {', '.join(parts)}\n" if parts else ""
