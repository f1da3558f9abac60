"""Claims of a document, as every report says them."""

from collections.abc import Callable, Sequence

from holdfast.measure.claims import CAME, LEVEL, NOT, OPEN, SMALL, Claim
from holdfast.report.charts.select import words
from holdfast.report.page import Entry, Section, Span, Table
from holdfast.report.texts import Badge, badge, number, significant, times
from holdfast.study.published_number import NOT_RUN, Published

BADGES = {NOT: Badge(NOT, "poor", "○"), SMALL: Badge(SMALL, "fair", "◐")}
CHANGE = "before → after"
CORRECTED = (
    f"Both p are corrected: of no effect, and of one large enough to matter. At {LEVEL} or less the first "
    "lets a claim come out, the second says that it did not."
)

AMONG = "p is corrected by Holm over the lines among which it stands: data sets, models or methods."


def answer_badge(answer: str) -> Badge:
    """The mark of an answer."""
    return BADGES.get(answer) or badge(answer)


def counted(claims: Sequence[Claim]) -> str:
    """How many claims came out, in a sentence."""
    heads = [claim for claim in claims if not claim.detail]
    count = {word: sum(claim.answer == word for claim in heads) for word in (CAME, SMALL, NOT, OPEN)}
    small = f"{count[SMALL]} {'is' if count[SMALL] == 1 else 'are'} above 0 but too small to matter, "
    return (
        f"Of {len(heads)} claims checked, {count[CAME]} came out, {small if count[SMALL] else ''}"
        f"{count[NOT]} did not, and {count[OPEN]} cannot be decided."
    )


def claim_line(claim: Claim) -> str:
    """One claim for a terminal."""
    effect, low, high = claim.effect.value, claim.effect.low, claim.effect.high
    ends = "" if low is None or high is None else f" [{_plain(claim, low)}, {_plain(claim, high)}]"
    moved = claim.before is not None and claim.after is not None
    change = f", {claim.before:.3g} → {claim.after:.3g}" if moved else ""
    unit = " %" if claim.percent else ""
    said = f"{_plain(claim, effect)}{unit}{ends}{change}"
    return f"{claim.answer}: {claim.statement} ({claim.where}): {said}"


def _plain(claim: Claim, value: float) -> str:
    if claim.ratio:
        return times(value)
    return f"{100 * value:.1f}" if claim.percent else f"{value:+.3f}"


def claims_section(
    claims: Sequence[Claim],
    below: str,
    caption: str = "",
    tables: Sequence[Table] = (),
    name: Callable[[str], str] = str,
    where: Callable[[str], str] = str,
) -> Section:
    """The claims, then other ``tables``, and the details of claims behind a line that is called ``below``.

    ``name`` and ``where`` say how to call the weakest of several numbers, and what a claim is about.
    """
    heads, details = (
        claims_table([c for c in claims if c.detail == kind], name=name, where=where)
        for kind in (False, True)
    )
    whole = f"{caption} {CORRECTED}".strip()
    return Section(
        "What the document claims",
        tables=[Table(heads.columns, heads.rows, caption=whole), *tables],
        folded=[Table(details.columns, details.rows, below, AMONG)],
    )


def claims_table(
    claims: Sequence[Claim], name: Callable[[str], str] = str, where: Callable[[str], str] = str
) -> Table:
    """What came of each claim; which columns there are depends on what the claims are about."""
    methods = any(c.detail and c.explainer for c in claims)
    changes = any(c.before is not None for c in claims)
    said = any(not c.detail for c in claims)

    def row(c: Claim) -> tuple[Entry, ...]:
        weakest = f" (weakest: {name(c.weakest)})" if c.weakest else ""
        return (
            unbroken(f"{c.statement}{weakest}"),
            *((words(c.explainer),) if methods else ()),
            answer_badge(c.answer),
            Span(c.effect.value, c.effect.low, c.effect.high, digits=3, share=c.percent, ratio=c.ratio),
            *((_change(c),) if changes else ()),
            *((unbroken(c.published),) if said else ()),
            where(c.where),
            p_text(c.p_holm),
            p_text(c.p_least_holm),
        )

    columns = (
        "claim",
        *(("method",) if methods else ()),
        "came out?",
        "measured",
        *((unbroken(CHANGE),) if changes else ()),
        *(("published",) if said else ()),
        "where",
        "p of no effect",
        "p of enough",
    )
    return Table(columns, tuple(row(c) for c in claims))


def _change(claim: Claim) -> str:
    if claim.before is None:
        return "–"
    return unbroken(f"{significant(claim.before)} → {significant(claim.after)}")


def unbroken(text: str) -> str:
    """``b = 1`` and ``0.2 → 0.1`` stay on one line.

    >>> unbroken("b = 1 of a → b").count(" ")
    2
    """
    for sign in "=→":
        text = text.replace(f" {sign} ", f"\N{NO-BREAK SPACE}{sign}\N{NO-BREAK SPACE}")
    return text


def p_text(value: float | None) -> str:
    return "–" if value is None else "< 0.001" if value < 0.001 else number(value, 3)


def not_run_table(beside: Sequence[Published]) -> Table:
    """Rows of the document for which there is nothing measured, by table, and why where that is known."""
    ran = {(line.table, line.row) for line in beside if line.measured is not None}
    missing: dict[str, dict[str, str]] = {}
    for line in beside:
        if (line.table, line.row) not in ran:
            rows = missing.setdefault(line.table, {})
            why = "" if line.note == NOT_RUN else line.note.removeprefix(f"{NOT_RUN}: ")
            rows[line.row] = rows.get(line.row) or why
    lines = tuple(
        (table, ", ".join(f"{name} ({why})" if why else name for name, why in rows.items()))
        for table, rows in missing.items()
    )
    caption = "Where no reason is given, their data or models were not part of this run."
    return Table(("table", "rows"), lines, "Not run", caption)
