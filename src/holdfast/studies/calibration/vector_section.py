"""The part of the page on vectors: planes by genre and age, and whose neighbours are alike (Jain §3.1.6)."""

from collections.abc import Sequence

from holdfast.data.interaction.ages import GROUPS
from holdfast.data.interaction.attributes import age_name
from holdfast.report.charts.base import Figure, table
from holdfast.report.charts.select import key
from holdfast.report.page import Entry, Section, Span, Table
from holdfast.studies.calibration.charts import family_name
from holdfast.studies.calibration.vectors import FACTORS
from holdfast.study.measurement import Measurement

OLDEST, YOUNGER = age_name(GROUPS[-1]), "younger"
GAINS = {"purity_gain": "trained", "purity_untrained_gain": "untrained"}


def vector_section(rows: Sequence[Measurement]) -> Section:
    """Figures 3.1 to 3.3, and the purity of neighbours against chance."""
    return Section(
        "What the vectors know of genres and ages",
        "Nobody told the models. Untrained vectors show what is there before anything is learned.",
        figures=[*planes(rows), *neighbours(rows)],
        tables=[purity_table(rows)],
        notes=unknown(rows),
    )


def unknown(rows: Sequence[Measurement]) -> list[str]:
    """Which data have users' vectors but not their ages."""
    looked = dict.fromkeys(r.data for r in rows if r.quantity == "purity" and r.model.startswith(FACTORS))
    known = {r.data for r in rows if r.comparison == "age"}
    return [
        f"{data}: nothing is said of ages, which are not known: they are read from users.dat or u.user "
        "beside the ratings."
        for data in looked
        if data not in known
    ]


def planes(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """Vectors in two dimensions by genre, or the oldest users among all (Figures 3.1 and 3.2)."""
    kept = [row for row in rows if row.quantity == "plane"]
    figures = []
    for data, model, name in dict.fromkeys((row.data, row.model, row.bin) for row in kept):
        chosen = [r for r in kept if (r.data, r.model, r.bin) == (data, model, name)]
        what, how = name.split(" ", 1)
        points = [(_shown(what, r.label), r.at or 0.0, r.value) for r in chosen]
        far = " In t-SNE, far distances mean nothing." if how == "t-SNE" else ""
        figures.append(
            Figure(
                key("plane", data, model, name),
                f"Vectors of {family_name(chosen[0])} by {what}, {how}: {data}",
                f"One seed; at most 600 points, drawn at random.{far}",
                "points",
                table("points", sorted(points, key=lambda point: point[0] == OLDEST)),  # on top of the others
                series=what,
            )
        )
    return tuple(figures)


def neighbours(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """How often the ten nearest are of the same group, beyond chance, before and after training (3.3)."""
    kept = [r for r in rows if r.quantity in GAINS and r.bin == "10" and r.by == "group"]
    return tuple(
        Figure(
            key("neighbours", data, what),
            f"Neighbours of the same {what}, beyond chance: {data}",
            "The share of the ten nearest vectors of the same group less that of a random other one. 95 % "
            "intervals over seeds and users or items.",
            "dots",
            table(
                "dots",
                [
                    (family_name(r), r.label, GAINS[r.quantity], r.value, r.low, r.high)
                    for r in kept
                    if (r.data, r.comparison) == (data, what)
                ],
            ),
            x="above chance",
            marks=(0.0,),
        )
        for data, what in dict.fromkeys((row.data, row.comparison) for row in kept)
    )


def purity_table(rows: Sequence[Measurement]) -> Table:
    """The share of the 10 and 3 nearest of the same group, what chance gives, and how far it is beyond."""
    lookup = {(r.family, r.comparison, r.bin, r.quantity): r for r in rows if r.by == "all"}
    named = {r.family: (r.data, family_name(r)) for r in rows}
    lines: list[tuple[Entry, ...]] = []
    for family, what, k, quantity in lookup:
        if quantity == "purity":
            share, gain, untrained = (
                lookup.get((family, what, k, name))
                for name in ("purity", "purity_gain", "purity_untrained_gain")
            )
            chance = None if share is None or gain is None else share.value - gain.value
            spans = (_span(share), Span(chance, share=True), _span(gain), _span(untrained))
            lines.append((*named[family], what, k, *spans))
    heads = ("same group among", "nearest", "share", "by chance", "beyond chance", "untrained, beyond chance")
    caption = (
        "Euclidean distance among all numbers of the vectors. 95 % intervals over seeds and users or items."
    )
    return Table(("data", "model", *heads), tuple(lines), "Neighbours of the same group", caption)


def _shown(what: str, group: str) -> str:
    """Seven ages in one plane tell nothing apart: the oldest are shown among the others (Figure 3.2)."""
    return group if what != "age" or group == OLDEST else YOUNGER


def _span(row: Measurement | None) -> Span:
    return Span(None) if row is None else Span(row.value, row.low, row.high, share=True)
