"""Figures of the calibration study (Jain Figures 3.7 to 3.11)."""

from collections.abc import Sequence

from holdfast.report.charts.base import Figure, table
from holdfast.report.charts.curves import Curve, curves
from holdfast.report.charts.select import key, select
from holdfast.studies.calibration.measures import LOG_ODDS
from holdfast.studies.calibration.plan import (
    BALANCED,
    EVEN,
    FROZEN,
    NEUMF,
    PRETRAINED,
    SIGMOID,
    THREE,
    TWO,
)
from holdfast.study.calibration import BY_CLASS
from holdfast.study.measurement import Measurement

OVER = "Shaded: 95 % interval over seeds."
CALLED = {
    TWO: "DeepICF",
    THREE: "DeepICF, 3 classes",
    SIGMOID: "DeepICF, sigmoid",
    "fism": "FISM",
    "gmf": "GMF",
    "ncf": "NCF",
    NEUMF: "NeuMF",
}
REPAIRED = {BALANCED: "balanced", EVEN: "even", FROZEN: "frozen", PRETRAINED: "pretrained"}
WATCHED = {"attention_permutation": "change of probability"}


def family_name(row: Measurement) -> str:
    """A family as a reader knows it."""
    model = CALLED.get(row.model, row.model)
    return model if row.repair == "none" else f"{model}, {REPAIRED.get(row.repair, row.repair)}"


def by_class(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """Accuracy against confidence, apart for the cases of each true class (Figure 3.7)."""
    chosen = [row for row in select(rows, BY_CLASS, "confidence") if row.repair == "none"]
    return tuple(
        Figure(
            key("by-class", *one),
            f"Accuracy by confidence, apart for each true class: {CALLED.get(one[1], one[1])} on {one[0]}",
            "As the document plots it. Apart for each true class, a calibrated model need not lie on the "
            "diagonal: where one class is rare, its cases look over-confident.",
            "reliability",
            table(
                "reliability",
                [(r.label, r.at or 0.0, r.value, r.low, r.high, r.n) for r in chosen if _place(r) == one],
            ),
            x="confidence",
            y="share of right answers",
        )
        for one in dict.fromkeys(map(_place, chosen))
    )


def permutations(rows: Sequence[Measurement], probe: str = "attention_permutation") -> tuple[Figure, ...]:
    """The effect of shuffling by confidence, for each outcome (Figures 3.8 and 3.9)."""
    what, quantity = "probability", "permutation"
    if "log_odds" in probe:
        what, quantity = "log-odds", "permutation_log_odds"
    kept = [row for row in select(rows, quantity, "confidence") if row.probe == probe and row.label]
    figures = []
    for data in dict.fromkeys(row.data for row in kept):
        chosen = [r for r in kept if r.data == data and r.repair in ("none", BALANCED)]
        points: list[Curve] = [(r.label, family_name(r), r.at or 0.0, r.value, r.low, r.high) for r in chosen]
        figures.append(
            curves(
                key("permutation", what, data),
                f"How far shuffled attention moves the {what}: {data}",
                f"Mean change of the {what} of the predicted class over 100 shuffles, by each model's own "
                f"confidence. {OVER}",
                points,
                ("confidence", "mean change"),
            )
        )
    return tuple(figures)


def log_odds(rows: Sequence[Measurement]) -> tuple[Figure, ...]:
    """The same in log-odds."""
    return permutations(rows, f"attention_permutation:of={LOG_ODDS.of}")


def along(rows: Sequence[Measurement], quantity: str, title: str, y: str) -> tuple[Figure, ...]:
    """A quantity by the mean probability over seeds (Figures 3.10 and 3.11)."""
    kept = [row for row in rows if (row.quantity, row.by) == (quantity, "probability")]
    return tuple(
        curves(
            key(quantity, data, comparison),
            f"{title}{_top(comparison)}: {data}",
            f"By the mean probability of the positive class over seeds. {OVER}",
            [
                ("", family_name(r), r.at or 0.0, r.value, r.low, r.high)
                for r in kept
                if (r.data, r.comparison) == (data, comparison)
            ],
            ("mean probability", y),
        )
        for data, comparison in dict.fromkeys((row.data, row.comparison) for row in kept)
    )


def _top(comparison: str) -> str:
    return "" if not comparison else f", {'top 10 %' if 'fraction' in comparison else 'top 5'}"


def _place(row: Measurement) -> tuple[str, str]:
    return row.data, row.model
