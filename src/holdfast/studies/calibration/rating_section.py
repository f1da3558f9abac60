"""The part of the page on ratings: how often each was given, and how items rated low rank."""

from collections.abc import Sequence

from holdfast.report.charts.base import Figure, table
from holdfast.report.charts.select import key
from holdfast.report.page import Entry, Section, Span, Table
from holdfast.report.texts import number
from holdfast.studies.calibration.charts import family_name
from holdfast.studies.calibration.ratings import ABOVE, BELOW
from holdfast.study.measurement import Measurement

APART = "hr@10_liked"


def rating_section(rows: Sequence[Measurement]) -> Section:
    """Figure 3.5, and test items rated below 3 apart from the others."""
    return Section(
        "What do ratings change?",
        "Two classes tell what was taken from what was not, whatever its rating. Three (disliked below 3 "
        "stars, not taken, liked) rank by the probability of liked, so that an item its user did not like "
        "should rank lower.",
        figures=frequencies(rows),
        tables=[rated_table(rows)],
        notes=said(rows),
    )


def frequencies(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """How often each rating was given (Figure 3.5)."""
    kept = [row for row in rows if row.quantity == "rating_count"]
    return tuple(
        Figure(
            key("ratings", data),
            f"How often each rating was given: {data}",
            "All interactions, those for testing too.",
            "bars",
            table("bars", [("", r.bin, "", r.value, None, None) for r in kept if r.data == data]),
            x="interactions",
        )
        for data in dict.fromkeys(row.data for row in kept)
    )


def rated_table(rows: Sequence[Measurement]) -> Table:
    """Hit rate and NDCG by the rating of the test item."""
    lookup = {
        (r.family, r.quantity, r.bin): r for r in rows if r.by == "rated" or r.quantity.endswith("_liked")
    }
    named = {r.family: (r.data, family_name(r)) for r in rows if (r.quantity, r.by) == ("hr@10", "rated")}
    columns = [(name, bin) for name in ("hr@10", "ndcg@10") for bin in (BELOW, ABOVE)]

    def cell(family: object, quantity: str, bin: str) -> Span:
        row = lookup.get((family, quantity, bin))  # type: ignore[arg-type]
        return Span(None) if row is None else Span(row.value, row.low, row.high, share=True)

    lines: list[tuple[Entry, ...]] = [
        (*names, *(cell(family, *one) for one in columns), cell(family, APART, ""))
        for family, names in named.items()
    ]
    heads = ("HR@10, rated below 3", "HR@10, 3 or more", "NDCG@10, below 3", "NDCG@10, 3 or more", "HR apart")
    caption = (
        "Users apart by the rating of their test item. 95 % intervals over seeds; those of the difference "
        "over seeds and users."
    )
    return Table(("data", "model", *heads), tuple(lines), "", caption)


def said(rows: Sequence[Measurement]) -> list[str]:
    """How many users each group has, and how far apart each model ranks them."""
    sizes = {(r.data, r.bin): int(r.value) for r in rows if (r.quantity, r.by) == ("size", "rated")}
    notes = []
    for data in dict.fromkeys(data for data, _ in sizes):
        low, high = sizes[data, BELOW], sizes[data, ABOVE]
        apart = [r for r in rows if (r.quantity, r.data, r.repair) == (APART, data, "none")]
        models = "; ".join(f"{family_name(r)}: {number(100 * r.value, 1)}" for r in apart)
        ranked = f" HR@10 of the others less that of these, in points: {models}." if models else ""
        notes.append(f"{data}: {low:,} of {low + high:,} users rated their test item {BELOW}.{ranked}")
    return notes
