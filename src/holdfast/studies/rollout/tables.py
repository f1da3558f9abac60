"""The tables of the rollout report: correlations over seeds, reasons."""

from collections.abc import Sequence

from holdfast.measure.reduce import Interval
from holdfast.report.charts.select import select, words
from holdfast.report.page import Entry, Span, Table
from holdfast.studies.rollout.claims import prediction
from holdfast.studies.rollout.names import LEFT_OUT, by_place, data_name, model_name, pair_name, strength
from holdfast.studies.rollout.questions import Place
from holdfast.study.measurement import Measurement, QuantityKey


def seeds_table(rows: Sequence[Measurement]) -> Table:
    """Does a correlation itself hold? Over seeds, for the next seed, and across seeds."""
    chosen = by_place(row for row in select(rows, "correlation") if row.other_explainer != LEFT_OUT)
    about = {name: _by(rows, f"correlation_{name}") for name in ("seeds", "user", "crossed", "untrained")}
    ahead: dict[QuantityKey, dict[Place, Interval]] = {}
    lines: list[tuple[Entry, ...]] = []
    for row in chosen:
        what = row.what
        ahead.setdefault(what, prediction(rows, what))
        next_one = ahead[what].get(Place(row.data, row.model)) if row.repair == "none" else None
        seeds, user, crossed, untrained = (about[name].get(_key(row)) for name in about)
        lines.append(
            (
                data_name(row.data),
                model_name(row.model, row.repair),
                pair_name(row.explainer, row.other_explainer),
                _span(row),
                strength(row.value),
                _span(seeds, 4),
                _span(next_one).interval or "–",
                _span(user),
                _span(crossed),
                _span(untrained),
            )
        )
    over = ("sd over seeds", "next seed", "sd of a user", "across seeds", "untrained")
    return Table(
        ("data", "model", "pair", "ρ", "", *over),
        tuple(lines),
        "Every pair of rankings",
        "Next seed: where the mean of one more seed lies, with 95 %. Sd of a user: how far the correlation "
        "of one user's history moves from seed to seed. Across seeds: the first ranking of one seed with the "
        "second of another; what it reaches is not of the model but of what all models share. Untrained: the "
        "same members before they learned anything; what it reaches is of the architecture.",
    )


def reasons_table(rows: Sequence[Measurement]) -> Table:
    """How often a reason names what speaks against, and for how many users there is a reason."""
    told = _by(rows, "reasons")
    lines: tuple[tuple[Entry, ...], ...] = tuple(
        (
            data_name(row.data),
            model_name(row.model, row.repair),
            words(row.explainer),
            Span(row.value, row.low, row.high, share=True),
            Span(told[_key(row)].value if _key(row) in told else None, share=True),
        )
        for row in by_place(select(rows, "against"))
    )
    return Table(
        ("data", "model", "ranking", "speaks against", "users with a reason"),
        lines,
        "Reasons that speak against",
        "Of the first three items by each ranking, the share with a negative Shapley value.",
    )


def _span(value: Measurement | Interval | None, digits: int = 2) -> Span:
    return Span(None) if value is None else Span(value.value, value.low, value.high, digits=digits)


def _by(rows: Sequence[Measurement], quantity: str) -> dict[tuple[str, ...], Measurement]:
    return {_key(row): row for row in select(rows, quantity)}


def _key(row: Measurement) -> tuple[str, ...]:
    return row.data, row.model, row.repair, row.explainer, row.other_explainer
