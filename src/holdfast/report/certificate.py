"""How far attention can be moved before predictions move: SEAT's Definition 2 as a section."""

from collections.abc import Sequence

from holdfast.measure.certificate import QUANTILES
from holdfast.report.cells import lead
from holdfast.report.charts.select import differing, select
from holdfast.report.page import Entry, Section, Span, Table
from holdfast.report.texts import percent
from holdfast.study.certifying import EACH, LIMIT, MOST, SHARES
from holdfast.study.measurement import FamilyKey, Measurement

TITLE = "How far can attention be moved?"
TEXT = (
    "SEAT's Definition 2: γ is how far a prediction is from the teacher's, β how much of the top k of the "
    "attention weights both share, α how far the worst change of the weights within the radius moves the "
    "prediction. γ and α are KL in nats, 0 where nothing moves. α is the larger of what ascent and random "
    "search find for each example, and so a lower bound: low numbers speak for stability only as far as the "
    "search was good. A model without a repair is its own teacher; it is asked within the same radius."
)
CAPTION = (
    f"Means over at most {MOST} of the explained examples; 95 % intervals over seeds. Stable up to: the "
    f"largest of {len(SHARES)} radii ({', '.join(f'{share:g}' for share in SHARES)} times that of the table) "
    f"up to which α is at most {LIMIT:g} nats, so that no class's probability moves by more than 0.1; 0 "
    "where it is more at all of them."
)
COLUMNS = {
    "teacher_distance": "distance to the teacher (γ)",
    "teacher_overlap": "top k shared (β)",
    "worst_case": "worst case (α)",
    "worst_case_ascent": "α by ascent",
    "worst_case_random": "α by random search",
    "stable_radius": "stable up to",
}
Key = tuple[FamilyKey, str]  # a family, and whose teacher or student it is


def certificate_section(rows: Sequence[Measurement]) -> Section:
    """γ, β, α and the radius achieved, of each student beside its model without a repair; empty where nothing
    learned from a teacher."""
    keys = _keys(rows)
    notes = tuple(dict.fromkeys(filter(None, (_weak(rows, key, keys) for key in keys))))
    folded = [_quantiles(rows, keys), _radii(rows, keys)]
    return Section(TITLE, TEXT, tables=[_means(rows, keys)], folded=folded, notes=notes)


def _keys(rows: Sequence[Measurement]) -> list[Key]:
    """Each student, and behind it the family without a repair in the student's ball."""
    found = [(row.family, row.other_repair) for row in select(rows, "worst_case")]
    students = [key for key in found if key[0].repair != "none"]
    return [
        key
        for family, teacher in students
        for key in ((family._replace(repair="none"), family.repair), (family, teacher))
        if key in found
    ]


def _means(rows: Sequence[Measurement], keys: Sequence[Key]) -> Table:
    first, head = lead([family for family, _ in keys], always="repair")
    lines: list[tuple[Entry, ...]] = []
    for key in keys:
        own = {row.quantity: row for row in _of(rows, key)}
        radius = own["worst_case"].at or 0.0
        lines.append((*first(key[0]), f"{radius:g}", *(_cell(own.get(name)) for name in COLUMNS)))
    columns = (*head, "radius", *COLUMNS.values())
    return Table(columns, _once(lines), "The certificate of each family", CAPTION)


def _quantiles(rows: Sequence[Measurement], keys: Sequence[Key]) -> Table:
    first, head = lead([family for family, _ in keys], always="repair")
    lines: list[tuple[Entry, ...]] = []
    for key in keys:
        for quantity in EACH:
            own = {row.at: row for row in _of(rows, key, "quantile") if row.quantity == quantity}
            lines.append((*first(key[0]), COLUMNS[quantity], *(_cell(own.get(at)) for at in QUANTILES)))
    columns = (*head, "number", *(f"{100 * at:g} %" for at in QUANTILES))
    about = "So many percent of all examples, of all seeds, are at or below the number; 100 % is the worst."
    return Table(columns, _once(lines), "The certificate in quantiles", about)


def _radii(rows: Sequence[Measurement], keys: Sequence[Key]) -> Table:
    first, head = lead([family for family, _ in keys], always="repair")
    lines: list[tuple[Entry, ...]] = [
        (*first(key[0]), f"{row.at:g}", _cell(row)) for key in keys for row in _of(rows, key, "radius")
    ]
    columns = (*head, "radius", COLUMNS["worst_case"])
    return Table(columns, _once(lines), "The worst case by radius", "Other radii were tried at fewer points.")


def _of(rows: Sequence[Measurement], key: Key, by: str = "all") -> list[Measurement]:
    known = (*COLUMNS, "ascent_missed")
    return [
        row
        for row in rows
        if row.quantity in known and row.by == by and (row.family, row.other_repair) == key
    ]


def _once(lines: Sequence[tuple[Entry, ...]]) -> tuple[tuple[Entry, ...], ...]:
    """Students that were asked the same stand beside one family without a repair."""
    return tuple(dict.fromkeys(lines))


def _cell(row: Measurement | None) -> Span:
    if row is None:
        return Span(None)
    return Span(row.value, row.low, row.high, digits=4)


def _weak(rows: Sequence[Measurement], key: Key, keys: Sequence[Key]) -> str:
    """That the ascent was weak, where random points were worse."""
    missed = next((row.value for row in _of(rows, key) if row.quantity == "ascent_missed"), 0.0)
    if not missed:
        return ""
    of = differing([family for family, _ in keys])(key[0])
    return (
        f"The ascent was weak{f' ({of})' if of else ''}: for {percent(missed)} of the examples random search "
        "found a worse point. α counts it, but may lie well below the true worst case."
    )
