"""Figures of the rollout study: which rankings agree, what deletion does, whom genres attend, an example."""

from collections.abc import Sequence

from holdfast.core.settings import split_label
from holdfast.report.charts.base import Figure, Value, table
from holdfast.report.charts.curves import Curve, curves
from holdfast.report.charts.select import key, select, short, words
from holdfast.studies.rollout.family import RANDOM
from holdfast.studies.rollout.names import (
    GRADIENT,
    LEFT_OUT,
    MODELS,
    ROLLOUT,
    SHAPLEY,
    SYMBOLS,
    Shape,
    by_place,
    data_name,
    model_name,
    pair_name,
    shape_of,
)
from holdfast.studies.rollout.plan import LONG
from holdfast.study.findings import Example
from holdfast.study.measurement import Measurement

OVER = "95 % intervals over seeds and users."
FIGURES = {(1, 1): "4.1", (2, 1): "4.3", (3, 1): "4.4", (2, 2): "4.5"}
NAMED = {"jeffreys": "Jeffreys divergence / 2", "jensen_shannon": "Jensen–Shannon divergence"}
SHOWN = 10  # of the latest items
GENRES = {
    "genres": ("in order", "As in the document, each genre has positions of its own."),
    "genres_mixed": ("mixed", "The same movies in random order: positions tell nothing."),
}


def correlations(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """Spearman's correlation of each pair of rankings: one figure for each shape, as the document has them.

    >>> about = {"explainer": "gradient", "other_explainer": "rollout"}
    >>> row = Measurement("d", "sasrec:blocks=1", "none", "correlation", 0.9, **about)
    >>> [figure] = correlations([row])
    >>> figure.key, figure.data["label"]
    ('correlations-b1h1', ('∇ ~ rollout',))
    """
    chosen = by_place(row for row in select(rows, "correlation") if row.other_explainer != LEFT_OUT)
    figures = []
    for blocks, heads in dict.fromkeys(_size(row) for row in chosen):
        mine = [row for row in chosen if _size(row) == (blocks, heads)]
        where = f"Baumhauer Figure {FIGURES[blocks, heads]}. " if (blocks, heads) in FIGURES else ""
        figures.append(
            Figure(
                f"correlations-b{blocks}h{heads}",
                f"Rank correlation of importance, b = {blocks}, h = {heads}",
                f"{where}Dashed: weak below .3, strong from .7. {OVER}",
                "dots",
                table("dots", [(data_name(r.data), _pair(r), _kind(r), *_ends(r)) for r in mine]),
                x="Spearman's ρ",
                marks=(0.3, 0.7),
            )
        )
    return tuple(figures)


def controls(rows: Sequence[Measurement]) -> Figure:
    """Rollout against gradient: of the same seed, of another one, and before anything was learned."""
    kinds = {"": "same seed", "_crossed": "another seed", "_untrained": "untrained"}
    about = {"explainer": GRADIENT, "other_explainer": ROLLOUT}
    chosen = [
        (row, name) for kind, name in kinds.items() for row in select(rows, f"correlation{kind}", **about)
    ]
    ordered = by_place(row for row, _ in chosen)
    named = {id(row): name for row, name in chosen}
    return Figure(
        "controls",
        "Rollout against gradient, and two controls",
        "Another seed: the gradient of one model, the rollout of the next; what is left is shared by all "
        f"models. Untrained: what the architecture alone gives. {OVER}",
        "dots",
        table(
            "dots",
            [(data_name(r.data), model_name(r.model, r.repair), named[id(r)], *_ends(r)) for r in ordered],
        ),
        x="Spearman's ρ",
        marks=(0.3, 0.7),
    )


def histograms(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """How the correlation is spread over users (Figure 4.2)."""
    chosen = by_place(select(rows, "histogram", "correlation"))
    return tuple(
        curves(
            key("histogram", data_name(data)),
            f"Users by their correlation: {data_name(data)}",
            "The share of users in each tenth, b = 1 (Baumhauer Figure 4.2). Shaded: 95 % interval over "
            "seeds.",
            [(_pair(r), _kind(r), r.at or 0.0, *_ends(r)) for r in chosen if r.data == data],
            ("Spearman's ρ", "share of users"),
        )
        for data in dict.fromkeys(row.data for row in chosen)
    )


def dynamics(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """The correlations after each epoch, and recall where it is kept (Figure 4.6)."""
    chosen = by_place([*select(rows, "dynamics", "epoch"), *select(rows, "recall", "epoch")])
    return tuple(
        curves(
            key("dynamics", data_name(data)),
            f"Along training: {data_name(data)}",
            "Correlations after each epoch (Baumhauer Figure 4.6). Shaded: 95 % interval over seeds.",
            [
                (
                    model_name(r.model, r.repair),
                    _pair(r) if r.other_explainer else words(r.quantity),
                    r.at or 0.0,
                    *_ends(r),
                )
                for r in chosen
                if r.data == data
            ],
            ("epoch", "Spearman's ρ"),
        )
        for data in dict.fromkeys(row.data for row in chosen if row.quantity == "dynamics")
    )


def deletions(rows: Sequence[Measurement], of: str) -> tuple[Figure, ...]:
    """How far the next item's distribution moves as items go (Figure 4.7)."""
    chosen = by_place(select(rows, "deletion", "step", comparison=of))
    points: list[Curve] = [
        (f"{data_name(r.data)}, {_kind(r)}", SYMBOLS.get(r.explainer, r.explainer), r.at or 0.0, *_ends(r))
        for r in chosen
    ]
    order = [*SYMBOLS.values(), RANDOM]
    points.sort(key=lambda p: order.index(p[1]))
    title = f"Deleting items, most important first: {NAMED[of]}"
    caption = (
        "How far the distribution of the next item is from that of the whole history, in nats; "
        f"{'what the document calls JS (Baumhauer Figure 4.7)' if of == 'jeffreys' else 'at most 0.693'}. "
        "b = 2, h = 1. Shaded: 95 % interval over seeds."
    )
    made = curves(key("deletion", of), title, caption, points, ("items deleted", "nats"))
    return (made,) if points else ()


def genres(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """Who attends whom, by genre (Figure 4.8): laid out in order, and mixed."""
    chosen = [row for quantity in GENRES for row in select(rows, quantity, "genre")]
    figures = []
    for data in dict.fromkeys(row.data for row in chosen):
        mine = [row for row in chosen if row.data == data]
        limits = (min(row.value for row in mine), max(row.value for row in mine))
        for quantity in dict.fromkeys(row.quantity for row in mine):
            pairs = [(r.bin.partition("/"), r.value) for r in mine if r.quantity == quantity]
            cells: list[tuple[Value, ...]] = [
                (f"{query} asks", wanted, round(value, 4)) for (query, _, wanted), value in pairs
            ]
            order, remark = GENRES[quantity]
            caption = f"Mean attention times the length: 1 is even (Baumhauer Figure 4.8). {remark}"
            title = f"Attention between genres, {order}: {data_name(data)}"
            name = key("genres", data_name(data), order)
            figures.append(Figure(name, title, caption, "matrix", table("matrix", cells), limits=limits))
    return tuple(figures)


def worked(examples: Sequence[Example]) -> tuple[Figure, ...]:
    """One recommendation: the latest items with their Shapley values and their rollout (Figure 5.1)."""
    for example in sorted(examples, key=lambda e: shape_of(e.model) != Shape("sasrec", 2, 1)):
        heats = {split_label(heat.explainer)[0]: heat for heat in example.heats}
        if {SHAPLEY, ROLLOUT} <= set(heats):
            latest = range(len(example.tokens) - 1, max(-1, len(example.tokens) - 1 - SHOWN), -1)
            bars: list[tuple[Value, ...]] = [
                (name, f"{n}  {short(example.tokens[place])}", "", heats[kind].consensus[place], None, None)
                for kind, name in ((SHAPLEY, "Shapley value"), (ROLLOUT, "rollout"))
                for n, place in enumerate(latest, 1)
            ]
            caption = (
                f"{model_name(example.model)} on {data_name(example.data)}, asked for "
                f"“{short(example.target)}”. The {len(bars) // 2} latest items, the latest first; means over "
                "seeds, each seed's adding up to 1 in size (Baumhauer Figure 5.1). Below 0 an item speaks "
                "against it; rollout cannot say so."
            )
            title = "Why this item? Shapley values and rollout"
            return (Figure("worked-example", title, caption, "bars", table("bars", bars)),)
    return ()


def left_out(rows: Sequence[Measurement]) -> Figure:
    """Shapley values against leave-one-out (Figure 5.2), both with their sign."""
    chosen = by_place(row for row in select(rows, "correlation") if row.other_explainer == LEFT_OUT)
    return Figure(
        "shapley-leave-one-out",
        "Shapley values against leave-one-out",
        f"With their sign; leave-one-out costs n passes, not thousands (Baumhauer Figure 5.2). {OVER}",
        "dots",
        table("dots", [("", model_name(r.model, r.repair), data_name(r.data), *_ends(r)) for r in chosen]),
        x="Spearman's ρ",
        marks=(0.3, 0.7),
    )


def by_model(
    rows: Sequence[Measurement], name: str, title: str, caption: str, axis: str, marks: tuple[float, ...] = ()
) -> Figure:
    """One number per method and family: a panel per method, a line per model, a colour per data set. Data
    used for the genres alone are left out."""
    chosen = by_place(row for row in rows if row.data not in LONG.values())
    lines = [
        (_method(r.explainer), model_name(r.model, r.repair), data_name(r.data), *_ends(r)) for r in chosen
    ]
    return Figure(name, title, caption, "dots", table("dots", lines), x=axis, marks=marks)


def _method(explainer: str) -> str:
    """Its name without settings.

    >>> _method("shapley:absent=column"), _method("attention_first")
    ('Shapley', 'α first')
    """
    head = split_label(explainer)[0]
    return "Shapley" if head == SHAPLEY else SYMBOLS.get(head, words(head))


def _size(row: Measurement) -> tuple[int, int]:
    shape = shape_of(row.model)
    return (0, 0) if shape is None else (shape.blocks, shape.heads)


def _kind(row: Measurement) -> str:
    """The model without its size."""
    shape = shape_of(row.model)
    name = row.model if shape is None else MODELS.get(shape.model, shape.model)
    return name + ("" if row.repair == "none" else f" ({row.repair})")


def _pair(row: Measurement) -> str:
    return pair_name(row.explainer, row.other_explainer)


def _ends(row: Measurement) -> tuple[float, float | None, float | None]:
    low, high = (None if end is None else round(end, 4) for end in (row.low, row.high))
    return round(row.value, 4), low, high
