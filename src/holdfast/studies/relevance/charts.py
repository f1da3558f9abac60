"""Figures of the relevance study: how well each cell is explained, where relevance lies, what it changes."""

from collections.abc import Sequence

from holdfast.measure.grouped import GROUP
from holdfast.report.charts.base import Figure, table
from holdfast.report.charts.curves import Curve, curves
from holdfast.report.charts.select import key, select, words
from holdfast.studies.relevance.names import (
    CELLS,
    DEPTH,
    GATES,
    LITERAL,
    METHODS,
    Label,
    images_of,
    is_majority,
    label_of,
    place_of,
    shown,
    steps_of,
)
from holdfast.study.measurement import Measurement

GROUPS = (
    ("depth", "Deeper cells", "Chormai Figure 4.12", DEPTH),
    ("gates", "Gates and stationary dropout", "Chormai Figure 4.17", GATES),
    ("literal", "Convolutions and literal connections", "Chormai Figure 4.20", LITERAL),
)
LINES = ("shallow", "deep", "rlstm_sd", "convrlstm_sd")
RANDOM = "random order"
EVEN = round((2 / 3) ** 0.5, 4)  # the cosine of relevance that says nothing: the same on every block
DIGITS = 4  # what a drawing can show, and no more bytes than that


def cosine_figures(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """The cosine with the truth by cell and method: one figure for each of the document's, one for the rest.

    >>> [figure] = cosine_figures([Measurement("digits-maj", "gru", "none", "cosine", 0.8, explainer="lrp")])
    >>> figure.key, figure.data["label"]
    ('cosine-others', ('gru',))
    """
    chosen, over = select(rows, "cosine"), intervals(rows)
    cells_of = shown(map(label_of, chosen))
    figures = [
        by_cell(
            [row for row in chosen if cells_of[label_of(row)] in cells],
            key("cosine", name),
            f"{title}: cosine with the truth",
            f"1: relevance shared equally by the two blocks that decide, none on the third ({source}). "
            f"Dashed: spread evenly over all three. {over}",
            "cosine",
            (EVEN,),
        )
        for name, title, source, cells in GROUPS
    ]
    rest = [row for row in chosen if cells_of[label_of(row)] not in CELLS]
    caption = f"Cells and settings that the document does not have. Dashed: spread evenly. {over}"
    title = "Other cells: cosine with the truth"
    figures.append(by_cell(rest, "cosine-others", title, caption, "cosine", (EVEN,)))
    return tuple(figure for figure in figures if len(figure))


def intervals(rows: Sequence[Measurement], both: bool = True, most: int | None = None) -> str:
    """What the intervals are over: members and images, or members alone for the images that were explained
    (``both`` False, or a run that kept no groups of images), of which ``most`` were looked at."""
    counts = {row.n for row in select(rows, "hold")}
    count = counts.pop() if len(counts) == 1 else None
    images = (
        "the images explained"
        if count is None
        else f"these {count if most is None else min(count, most)} images"
    )
    if both and any(row.by == GROUP for row in rows):
        return f"95 % intervals over members and images ({images})."
    return f"95 % intervals over members, for {images}."


def names(rows: Sequence[Measurement]) -> dict[Label, tuple[str, str]]:
    """How data and cell are called, so that no two settings have one name."""
    cells = shown(map(label_of, rows))
    lengths: dict[str, set[int]] = {}
    for data, _, _ in cells:
        lengths.setdefault(images_of(data), set()).add(steps_of(data))
    return {
        label: (
            images_of(label[0]),
            f"{cell}, T = {steps_of(label[0])}" if len(lengths[images_of(label[0])]) > 1 else cell,
        )
        for label, cell in cells.items()
    }


def by_cell(
    rows: Sequence[Measurement],
    name: str,
    title: str,
    caption: str,
    axis: str,
    marks: tuple[float, ...] = (),
) -> Figure:
    """One number per cell, a panel per method and a colour per data set."""
    methods, cells, named = _ordered(rows), shown(map(label_of, rows)), names(rows)
    ranked = sorted(rows, key=lambda r: (methods.index(r.explainer), place_of(cells[label_of(r)])))
    lines = [(words(r.explainer), *reversed(named[label_of(r)]), *_ends(r)) for r in ranked]
    return Figure(name, title, caption, "dots", table("dots", lines), x=axis, marks=marks)


def over_time(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """Relevance over the steps beside the ink, for the class whose ink is in the middle (Figure 4.7)."""
    chosen = [row for row in select(rows, "time", "step") if row.label]
    figures = []
    for data in dict.fromkeys(images_of(row.data) for row in chosen):
        longest = max(steps_of(row.data) for row in chosen if images_of(row.data) == data)
        mine = [row for row in chosen if (images_of(row.data), steps_of(row.data)) == (data, longest)]
        ink = [
            row
            for row in select(rows, "ink", "step")
            if row.label and (images_of(row.data), steps_of(row.data)) == (data, longest)
        ]
        if longest > 1:
            figures.append(_time(data, mine, ink))
    return tuple(figures)


def _time(data: str, rows: Sequence[Measurement], ink: Sequence[Measurement]) -> Figure:
    steps, cells = {row.bin: row for row in ink}.values(), shown(map(label_of, rows))
    points: list[Curve] = []
    for method in _ordered(rows):
        name = words(method)
        points += [(name, "ink", r.at or 0.0, round(r.value, DIGITS), None, None) for r in steps]
        points += [(name, cells[label_of(r)], r.at or 0.0, *_ends(r)) for r in rows if r.explainer == method]
    return curves(
        key("time", data),
        f"Relevance over time: {data}, class {rows[0].label}",
        "The share of positive relevance at each step beside the share of the ink (Chormai Figure 4.7). "
        "Shaded: 95 % interval over members, for the explained images of that class.",
        points,
        ("step", "share"),
    )


def deletion_curves(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """The prediction while patches are painted over, a panel per cell and a line per method."""
    chosen = [row for row in select(rows, "deletion", "step") if is_majority(row.data)]
    figures = []
    for data in dict.fromkeys(row.data for row in chosen):
        mine = [row for row in chosen if row.data == data]
        cells_of = shown(map(label_of, mine))
        trained = dict.fromkeys(cells_of.values())
        cells = [cell for cell in LINES if cell in trained] or list(trained)[:4]
        points = [
            (cell, words(r.explainer), r.at or 0.0, round(r.value, DIGITS), None, None)
            for cell in cells
            for method in (RANDOM, *METHODS)
            for r in mine
            if (cells_of[label_of(r)], r.explainer) == (cell, method)
        ]
        figures.append(
            curves(
                key("deletion", data),
                f"Deletion: {data}",
                "Probability of the explained class after painting over so many patches, most relevant "
                "first, beside a random order; the mean over members. Faster is better.",
                points,
                ("patches painted over", "probability"),
            )
        )
    return tuple(figures)


def _ordered(rows: Sequence[Measurement]) -> list[str]:
    """Methods in the document's order, others behind."""
    methods = dict.fromkeys(row.explainer for row in rows)
    return [name for name in METHODS if name in methods] + [name for name in methods if name not in METHODS]


def _ends(row: Measurement) -> tuple[float, float | None, float | None]:
    low, high = (None if end is None else round(end, DIGITS) for end in (row.low, row.high))
    return round(row.value, DIGITS), low, high
