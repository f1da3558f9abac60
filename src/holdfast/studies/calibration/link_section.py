"""The part of the page that asks whether attention is unreliable where models are miscalibrated."""

from collections.abc import Mapping, Sequence

from holdfast.report.charts.base import Figure, table
from holdfast.report.charts.select import key
from holdfast.report.page import Entry, Section, Span, Table
from holdfast.studies.calibration.charts import family_name
from holdfast.studies.calibration.link import BESIDE, TAKEN
from holdfast.studies.calibration.plan import FROZEN
from holdfast.study.measurement import Measurement

Column = tuple[str, str]  # quantity and cases
EFFECTS: Mapping[str, Column] = {
    "probability": ("permutation_gap", ""),
    "probability, positive cases": ("permutation_gap", TAKEN),
    "log-odds": ("permutation_log_odds_gap", ""),
    "log-odds, if it were calibrated": ("permutation_log_odds_gap_calibrated", ""),
    "log-odds, beyond that": ("permutation_log_odds_gap_beyond", ""),
}
SEEDS: Mapping[str, Column] = {
    "by tenths": ("unstable_gap", ""),
    "by tenths, positive cases": ("unstable_gap", TAKEN),
    "wrong beside right": ("unstable_wrong", ""),
}
BOTH = "95 % intervals over seeds and test examples."


def link_section(rows: Sequence[Measurement]) -> Section:
    """What was measured, the reading that confidence alone can give, and the one that it cannot."""
    return Section(
        "Is attention unreliable where the models are miscalibrated?",
        "The document says so of one recommender and leaves other data open (§6.2.1). It is asked in two "
        "ways. By tenths of confidence, as in its figure: but a model that is over-confident where it is "
        "sure shows this by the sigmoid alone. And of wrong predictions beside right ones that are as sure "
        "of the same class: below 0, the predictions for which attention matters little are the "
        f"over-confident ones, and confidence alone gives 0.{_control(rows)}",
        figures=beside(rows),
        tables=[effect_table(rows), seed_table(rows)],
    )


def _control(rows: Sequence[Measurement]) -> str:
    """What the frozen control is for, where it ran."""
    if not any(row.repair == FROZEN for row in rows):
        return ""
    return " Frozen attention shows what comes from the inputs, not from what attention learned."


def beside(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """By how much less (or more) shuffling moves wrong predictions than right ones that are as sure."""
    names = {"permutation_wrong": "probability", "permutation_log_odds_wrong": "log-odds"}
    kept = [row for row in rows if row.quantity in names]
    return tuple(
        Figure(
            key("wrong-beside-right", data, outcome),
            f"How much more shuffled attention moves {outcome} predictions than {BESIDE[outcome]} ones as "
            f"sure: {data}",
            "The change of the mean effect, as a share of it. Each wrong prediction is held against the ten "
            f"right ones of its class that are nearest in confidence. {BOTH}",
            "dots",
            table(
                "dots",
                [
                    ("", family_name(r), names[r.quantity], r.value, r.low, r.high)
                    for r in kept
                    if (r.data, r.label) == (data, outcome)
                ],
            ),
            x="share of the effect",
            marks=(0.0,),
        )
        for data, outcome in dict.fromkeys((row.data, row.label) for row in kept)
    )


def effect_table(rows: Sequence[Measurement]) -> Table:
    """The correlation over tenths of confidence of the gap with the effect of shuffling."""
    caption = (
        "Correlation over tenths of confidence of |confidence − accuracy| with the mean effect of shuffling, "
        "each tenth counted as often as it has predictions. Below 0, attention matters less where the model "
        "is miscalibrated. If it were calibrated: the same, with answers that are right as often as the "
        f"model says. {BOTH}"
    )
    return _table(rows, EFFECTS, "Effect of shuffling and miscalibration", caption)


def seed_table(rows: Sequence[Measurement]) -> Table:
    """The same of how far attention differs between seeds."""
    caption = (
        "The share of attention that lies elsewhere in another seed (total variation), against the seeds' "
        "mean prediction. By tenths: a correlation; above 0, attention differs more where they are "
        "miscalibrated. Wrong beside right: by which share it differs more where they are wrong and as sure. "
        f"{BOTH}"
    )
    return _table(rows, SEEDS, "Disagreement of seeds and miscalibration", caption)


def _table(rows: Sequence[Measurement], columns: Mapping[str, Column], title: str, caption: str) -> Table:
    lookup = {(r.family, r.quantity, r.label): r for r in rows if r.by == "all"}
    shown = {head: one for head, one in columns.items() if any(place[1:] == one for place in lookup)}
    measured = {place[0] for place in lookup if place[1:] in shown.values()}
    kept = [family for family in dict.fromkeys(r.family for r in rows) if family in measured]
    named = {r.family: (r.data, family_name(r)) for r in rows}
    lines: list[tuple[Entry, ...]] = [
        (*named[family], *(_span(lookup.get((family, *one))) for one in shown.values())) for family in kept
    ]
    return Table(("data", "model", *shown), tuple(lines), title, caption)


def _span(row: Measurement | None) -> Span:
    return Span(None) if row is None else Span(row.value, row.low, row.high)
