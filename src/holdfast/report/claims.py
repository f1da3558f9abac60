"""Claims of a document, as every report says them."""

from collections.abc import Sequence
from typing import Any

from holdfast.measure.claims import CAME, LEVEL, NOT, OPEN, SMALL
from holdfast.report.page import Table
from holdfast.report.texts import Badge, badge, number

BADGES = {NOT: Badge(NOT, "poor", "○"), SMALL: Badge(SMALL, "fair", "◐")}
P = ("p of no effect", "p of enough")
CORRECTED = (
    f"Both p are corrected: of no effect, and of one large enough to matter. At {LEVEL} or less the first "
    "lets a claim come out, the second says that it did not."
)


def answer_badge(answer: str) -> Badge:
    """The mark of an answer."""
    return BADGES.get(answer) or badge(answer)


def counted(claims: Sequence[dict[str, Any]]) -> str:
    """How many claims came out, in a sentence."""
    heads = [claim for claim in claims if not claim["detail"]]
    count = {word: sum(claim["verdict"] == word for claim in heads) for word in (CAME, SMALL, NOT, OPEN)}
    small = f"{count[SMALL]} {'is' if count[SMALL] == 1 else 'are'} above 0 but too small to matter, "
    return (
        f"Of {len(heads)} claims checked, {count[CAME]} came out, {small if count[SMALL] else ''}"
        f"{count[NOT]} did not, and {count[OPEN]} cannot be decided."
    )


def claim_line(claim: dict[str, Any]) -> str:
    """One claim for a terminal."""
    measured = claim["measured"]
    ends = "" if measured["low"] is None else f" [{measured['low']:+.3f}, {measured['high']:+.3f}]"
    return f"{claim['verdict']}: {claim['claim']} ({claim['where']}): {measured['value']:+.3f}{ends}"


def both(claim: dict[str, Any]) -> tuple[str, str]:
    """The two p of a claim, as they are decided by."""
    return p_text(claim["corrected"]), p_text(claim["corrected_worth"])


def p_text(value: float | None) -> str:
    return "–" if value is None else "< 0.001" if value < 0.001 else number(value, 3)


def not_run_table(beside: Sequence[dict[str, Any]]) -> Table:
    """Rows of the document for which there is nothing measured, by table."""
    ran = {(line["table"], line["row"]) for line in beside if line["measured"] is not None}
    missing: dict[str, list[str]] = {}
    for line in beside:
        if (line["table"], line["row"]) not in ran and line["row"] not in missing.get(line["table"], []):
            missing.setdefault(line["table"], []).append(line["row"])
    lines = tuple((table, ", ".join(names)) for table, names in missing.items())
    return Table(("table", "rows"), lines, "Not run", "Their data or models were not part of this run.")
