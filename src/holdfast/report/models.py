"""How good the models of a report are, and how far their predictions move."""

from collections.abc import Sequence

from holdfast.report.cells import cell, lead
from holdfast.report.charts import quality
from holdfast.report.charts.select import words
from holdfast.report.f1 import f1_table
from holdfast.report.page import Section, Table
from holdfast.report.ranking import ranking_table
from holdfast.report.texts import RECALL
from holdfast.study.measurement import Measurement

SHARES = ("accuracy", "accuracy_sd", "recall", "recall_sd", "macro_f1")
QUALITIES = (*SHARES, "roc_auc", "deviation")
NAMED = {
    "accuracy_sd": "sd over seeds",
    "recall_sd": "sd over seeds",
    "deviation": "deviation",
}
MEANT = {
    "recall": f"Recall@10 %: {RECALL}.",
    "macro_f1": "Macro-F1: the mean of F1 over classes.",
    "roc_auc": "ROC-AUC: how often the right class gets the higher probability; 0.5 is chance.",
    "deviation": "Deviation: the standard deviation of the predicted probability over seeds.",
}
LOWER = ("deviation",)


def models(rows: Sequence[Measurement]) -> Section:
    """Model quality, and how far predictions move."""
    text = "An explanation is at most as good as its model, and a prediction that moves takes it along."
    folded = [quality_table(rows), f1_table(rows), ranking_table(rows)]
    drawn, hidden = quality.accuracy(rows), quality.deviation(rows)
    return Section("How good are the models?", text, drawn, folded=folded, hidden=hidden)


def quality_table(rows: Sequence[Measurement]) -> Table:
    """Everything in numbers; the caption says what each of them is."""
    cells = {(*r.family, r.quantity): r for r in rows if r.by == "all" and r.quantity in QUALITIES}
    names = [name for name in QUALITIES if any(key[3] == name for key in cells)]
    groups = list(dict.fromkeys(key[:3] for key in cells))
    first, head = lead(groups, always="model")
    meant = " ".join(MEANT[name] for name in names if name in MEANT)
    arrows = {name: " ↓" if name in LOWER else "" if name.endswith("_sd") else " ↑" for name in names}
    return Table(
        (*head, *(f"{NAMED.get(name, words(name))}{arrows[name]}" for name in names)),
        tuple(
            (*first(g), *(cell(cells.get((*g, name)), share=name in SHARES) for name in names))
            for g in groups
        ),
        "The models in numbers",
        f"Mean over seeds with 95 % intervals; ↑ higher is better, ↓ lower is better. {meant}".rstrip(),
    )
