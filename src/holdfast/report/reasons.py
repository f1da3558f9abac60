"""Recommendations with their reasons, for a terminal."""

from rich.console import Group, RenderableType
from rich.text import Text

from holdfast.core.plain import printable
from holdfast.study.explain_user import Reason, Recommendation, UserExample

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
    head = Text(f"{_called(printable(example.user))} has a history of {whole}{cut}: {known}\n")
    how = "because of" if example.signed else "with most weight on"
    lines = [_recommendation(place, one, seeds, how) for place, one in enumerate(example.recommendations, 1)]
    told = Text(
        f"\nReasons from {printable(example.explainer)}, over {seeds} models that differ only in their seed."
    )
    if not example.signed:
        told.append(" It has no sign: an item with weight may also speak against the recommendation.")
    return Group(head, *lines, told)


def _recommendation(place: int, one: Recommendation, seeds: int, how: str) -> Text:
    line = Text(f"{place}. ")
    line.append(printable(one.item), style="bold")
    line.append(f"  ({one.wanted} of {seeds} models recommend it)\n")
    hold = "" if one.hold is None else f" (hold {one.hold:.2f}{_ends(one.low, one.high)})"
    if not one.has_reasons:
        line.append(f"   no reason holds across seeds{hold}\n")
        return line
    line.append(_because(how, one.reasons, seeds) or "   no item speaks for it\n")
    line.append(_because("in spite of", one.against, seeds))
    line.append(f"   These reasons: {one.verdict}{hold}\n", style="dim")
    return line


def _called(user: str) -> str:
    """The name of a user, with "User" before it unless it begins so.

    >>> _called("42"), _called("user 42")
    ('User 42', 'user 42')
    """
    return user if user.lower().startswith("user") else f"User {user}"


def _because(how: str, reasons: tuple[Reason, ...], seeds: int) -> str:
    parts = [f"{printable(one.item)} ({one.agree} of {seeds} agree)" for one in reasons]
    return f"   {how} {', '.join(parts)}\n" if parts else ""


def _ends(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f", {low:.2f} to {high:.2f}"
