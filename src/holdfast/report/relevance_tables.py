"""The tables of the relevance report: claims, and which cells differ."""

from collections.abc import Sequence
from typing import Any

from holdfast.report.figures.rows import pick, words
from holdfast.report.page import Entry, Section, Span, Table
from holdfast.report.texts import Badge, badge, number
from holdfast.study.relevance_tables import published_differences
from holdfast.study.table import Row

NOT = Badge("did not come out", "poor", "○")


def claims_table(claims: Sequence[dict[str, Any]]) -> Table:
    """The claims, what was published and what came out."""
    lines = tuple(
        (c["claim"], c["where"], c["published"], _span(c), _p(c["corrected"]), _badge(c["verdict"]))
        for c in claims
    )
    columns = ("claim", "where", "published", "measured", "p, corrected", "came out?")
    caption = "In units of cosine: a difference, what one step deeper adds, or how far cells lie apart."
    return Table(columns, lines, caption=caption)


def details_table(claims: Sequence[dict[str, Any]]) -> Table:
    """The same by data set and by method."""
    lines = tuple(
        (c["claim"], c["where"], words(c["explainer"]), _span(c), _p(c["corrected"]), _badge(c["verdict"]))
        for c in claims
    )
    columns = ("claim", "where", "method", "measured", "p, corrected", "came out?")
    caption = "p is corrected by Holm over the data sets, and over the methods, of each claim."
    return Table(columns, lines, "By data set and by method", caption)


def pairs_section(rows: Sequence[Row]) -> Section:
    """Tukey's differences of every two cells, with those of Appendix 2 beside them."""
    said = {(d["method"], d["group1"], d["group2"]): d for d in published_differences()}
    holm = {(r.explainer, r.model, r.other): r.value for r in pick(rows, "tukey_holm")}
    shown: list[tuple[Entry, ...]] = []
    others: list[tuple[Entry, ...]] = []
    for row in pick(rows, "tukey"):
        known = said.get((row.explainer, row.model, row.other))
        names = (words(row.explainer), f"{row.other} − {row.model}")
        own = Span(row.value, row.low, row.high, digits=3)
        p = _p(holm.get((row.explainer, row.model, row.other)))
        if known is None:
            others.append((*names, own, p))
        else:
            value, low, high = (float(known[name]) for name in ("meandiff", "lower", "upper"))
            shown.append((*names, Span(value, low, high, digits=3), own, p))
    data = next((row.data for row in pick(rows, "tukey")), "")
    return Section(
        "Is one cell explained better than another?",
        f"Tukey's differences of mean cosine on {data}, the data set as a block; p is corrected for asking "
        "every method (Holm)."
        if data
        else "",
        tables=[
            Table(
                ("method", "cells", "published", "measured", "p, corrected"),
                tuple(shown),
                "Beside Appendix 2",
                "Published: MNIST-MAJ and FashionMNIST-MAJ pooled, without the block.",
            )
        ],
        folded=[
            Table(("method", "cells", "measured", "p, corrected"), tuple(others), "Every other two cells"),
            _variance(rows),
        ],
    )


def _variance(rows: Sequence[Row]) -> Table:
    found = pick(rows, "anova_f")
    at = {(r.quantity, r.explainer): r.value for r in rows if r.quantity in ("anova_p", "anova_eta")}
    lines = tuple(
        (
            words(r.explainer),
            Span(r.value),
            _p(at.get(("anova_p", r.explainer))),
            Span(at.get(("anova_eta", r.explainer)), digits=3),
        )
        for r in found
    )
    return Table(("method", "F", "p", "η²"), lines, "Do cells differ at all? Analysis of variance, all cells")


def _span(claim: dict[str, Any]) -> Span:
    return Span(claim["measured"]["value"], claim["measured"]["low"], claim["measured"]["high"], digits=3)


def _p(value: float | None) -> str:
    return "–" if value is None else "< 0.001" if value < 0.001 else number(value, 3)


def _badge(verdict: str) -> Badge:
    return NOT if verdict == NOT.word else badge(verdict)
