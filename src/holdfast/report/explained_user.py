"""The page of a user's recommendations: what speaks for each, and whether another training would say so."""

from dataclasses import dataclass

from holdfast.report.charts.select import short, words
from holdfast.report.html import render_template
from holdfast.report.modality import modality
from holdfast.report.nearby import how_near, items_near, took, users_near
from holdfast.report.page import Span, Table
from holdfast.report.reasons import called
from holdfast.report.standing import agreed, although, notes
from holdfast.report.texts import Badge, badge
from holdfast.study.reasons import Reason
from holdfast.study.recommendation import UNEXPLAINED, Recommendation, UserExample

LATEST = 60  # items of a history
MOST = 10  # recommendations in a cell


@dataclass(frozen=True)
class Shown:
    """One recommendation; ``badge`` is there only where a word is decided, ``none`` is said instead of
    reasons; ``explained`` where the model reads the history."""

    item: str
    wanted: str
    agree: str
    hold: Span
    against: str
    badge: Badge | None
    reasons: Table
    none: str
    notes: tuple[str, ...]
    explained: bool
    near: tuple[str, ...]


def render_user(example: UserExample, cell: bool = False) -> str:
    """One offline page, or a notebook's cell; the same bytes for the same example."""
    latest = [short(item) for item in example.history[-LATEST:]]
    sees = len(example.history)
    whole = sees + example.cut
    seen = f", of which the models see the latest {sees}" if example.cut else ""
    in_run = {one.standing.in_run for one in example.recommendations if one.standing is not None}
    return render_template(
        "explained_user.html",
        cell,
        title=f"{called(short(example.user))}: what is recommended, and why",
        about=f"{len(example.seeds)} seeds of {example.model} on {example.data} (repair: {example.repair}); "
        f"{_by(example)}.",
        explained=bool(example.explainer),
        users="" if example.neighbours is None else users_near(example.neighbours, len(example.seeds)),
        nearness=how_near(example),
        history=f"A history of {whole} {'item' if whole == 1 else 'items'}{seen}: "
        f"{'… ' if sees > LATEST else ''}{', '.join(latest)}.",
        in_run=tuple(sorted(in_run - {""})),
        signed=example.signed,
        recommendations=tuple(
            _shown(one, example) for one in example.recommendations[: MOST if cell else None]
        ),
    )


def _by(example: UserExample) -> str:
    if not example.explainer:
        return "they read no history, so no item of it is a reason"
    return f"reasons by {words(example.explainer)}"


def _shown(one: Recommendation, example: UserExample) -> Shown:
    seeds, standing = len(example.seeds), one.standing
    return Shown(
        item=short(one.item),
        wanted=f"{one.wanted} of {seeds} seeds recommend it",
        agree=agreed(one.agree, seeds, short(one.strongest)),
        hold=Span(one.hold, one.low, one.high, scaled=True),
        against="" if standing is None else standing.nearest or "",
        badge=None if one.verdict == "undecided" else badge(one.verdict),
        reasons=_reasons(one, example.signed, seeds),
        none="No item speaks for it." if one.has_reasons else "No reason holds across seeds.",
        notes=_notes(one, seeds),
        explained=one.verdict != UNEXPLAINED,
        near=tuple(filter(None, (items_near(one.near, seeds), "" if one.taken is None else took(one.taken)))),
    )


def _notes(one: Recommendation, seeds: int) -> tuple[str, ...]:
    standing, unit = one.standing, modality("interaction").unit
    why = "" if standing is None else although(one.agree, seeds, one.verdict, standing.nearest, unit)
    told = (said for said in notes(standing) if standing is None or said != standing.in_run)
    return (*([why] if why else []), *told)


def _reasons(one: Recommendation, signed: bool, seeds: int) -> Table:
    speaks = "speaks for it" if signed else "has most weight"
    rows = [_reason(reason, speaks, seeds) for reason in one.reasons]
    rows += [_reason(reason, "speaks against it", seeds) for reason in one.against]
    columns = ("item of the history", "direction", "share of the weight", "seeds that name it")
    return Table(columns, tuple(rows), title=f"reasons for {short(one.item)}")


def _reason(reason: Reason, speaks: str, seeds: int) -> tuple[str | Span, ...]:
    return short(reason.item), speaks, Span(reason.share, share=True), f"{reason.agree} of {seeds}"
