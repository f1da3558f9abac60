"""The sections of an audit's report, from its findings. A section with nothing to show is left out."""

from collections.abc import Callable, Sequence

from holdfast.core.catalogue import catalogue
from holdfast.core.settings import split_label
from holdfast.report.charts import agree, holds, quality, repaired
from holdfast.report.charts.select import remark, select, words
from holdfast.report.f1 import f1_table
from holdfast.report.modality import Unit, modality
from holdfast.report.page import Entry, Section, Span, Table
from holdfast.report.probes import probed
from holdfast.report.ranking import ranking_table
from holdfast.report.texts import describe, heading
from holdfast.study.findings import Findings
from holdfast.study.measurement import Measurement

Group = tuple[str, str, str]

# Along confidence, these are drawn; every comparison is in the table.
DRAWN = ("kl", "jaccard")
QUALITIES = (
    "accuracy",
    "accuracy_sd",
    "recall",
    "recall_sd",
    "macro_f1",
    "roc_auc",
    "ece",
    "mce",
    "nll",
    "brier",
    "deviation",
)
SHARES = ("accuracy", "accuracy_sd", "recall", "recall_sd", "macro_f1")
NAMED = {
    "accuracy_sd": "sd over seeds",
    "ece": "ECE",
    "mce": "MCE",
    "nll": "NLL",
    "brier": "Brier",
    "deviation": "deviation of the probability",
}


def sections(findings: Findings) -> list[Section]:
    """Everything below the verdict and the examples, top to bottom."""
    rows, unit = findings.rows, modality(findings.kind).unit
    told = (where(rows, unit), agreement(rows, unit), probed(rows))
    every = (*told, models(rows), repairs(rows), glossary(rows))
    return [section for section in every if not section.empty]


def where(rows: Sequence[Measurement], unit: Unit) -> Section:
    """Where explanations hold and where not."""
    drawn = [name for name in dict.fromkeys(r.comparison for r in rows) if split_label(name)[0] in DRAWN]
    figures = [
        *holds.hold_by(rows, "confidence"),
        *holds.hold_by(rows, "length", f"length in {unit.lengths}"),
        *holds.hold_by_label(rows),
        *(figure for name in drawn for figure in holds.stability_by(rows, name)),
    ]
    text = (
        "Hold puts every explainer on one scale: 0 is no better than shuffled, 1 is the same for every seed. "
        f"It compares weight: where a few {unit.many} carry most of it, hold can be high although the "
        "others change their order. The table below lists every comparison, also those of order alone."
    )
    return Section("Where it holds, and where not", text, figures, [comparisons(rows)])


def comparisons(rows: Sequence[Measurement]) -> Table:
    """Stability by each comparison, over all examples."""
    chosen = select(rows, "stability")
    names = list(dict.fromkeys(row.comparison for row in chosen))
    groups = list(dict.fromkeys((r.data, r.model, r.repair, r.explainer) for r in chosen))
    cells = {(r.data, r.model, r.repair, r.explainer, r.comparison): r for r in chosen}
    lead, head = _lead([group[:3] for group in groups])
    return Table(
        (*head, "explainer", *(f"{words(name)}{_arrow(name)}" for name in names)),
        tuple(
            (*lead(group[:3]), words(group[3]), *(_span(cells.get((*group, name))) for name in names))
            for group in groups
        ),
        "Every comparison between seeds",
        "Mean over pairs of seeds, with 95 % intervals over seeds. ↑ higher is closer, ↓ lower is closer."
        + remark(names),
    )


def agreement(rows: Sequence[Measurement], unit: Unit) -> Section:
    """Explainers against each other and against the truth."""
    names = list(dict.fromkeys(row.comparison for row in select(rows, "agreement")))
    figures = [
        *agree.truth(rows, unit),
        *(figure for name in names[:1] for figure in agree.agreement(rows, name)),
    ]
    cells = {(*r.family, r.explainer, r.other_explainer, r.comparison): r for r in select(rows, "agreement")}
    pairs = list(dict.fromkeys(key[:5] for key in cells))
    lead, head = _lead([pair[:3] for pair in pairs])
    table = Table(
        (*head, "explainer", "other", *map(words, names)),
        tuple(
            (*lead(p[:3]), words(p[3]), words(p[4]), *(_span(cells.get((*p, name))) for name in names))
            for p in pairs
        ),
        "Agreement by every comparison",
    )
    text = "Two methods that disagree about the same prediction cannot both be its explanation."
    folded = [*([table] if len(names) > 1 else ()), *losses(rows, unit)]
    return Section("Do the explainers agree?", text, figures, folded=folded)


def losses(rows: Sequence[Measurement], unit: Unit) -> list[Table]:
    """How much scores miss of the total that they should add up to."""
    lost = select(rows, "lost")
    lead, head = _lead([(row.data, row.model, row.repair) for row in lost])
    lines: list[tuple[Entry, ...]] = [
        (*lead((row.data, row.model, row.repair)), words(row.explainer), _span(row, share=True))
        for row in lost
    ]
    text = (
        "Scores by rules should add up to the evidence for the class, integrated gradients to the log-odds "
        f"minus those of zero vectors. Lost: the share not assigned to {unit.many}; 95 % over seeds."
    )
    table = Table((*head, "explainer", "lost"), tuple(lines), "What the scores leave out", text)
    return [table] if lines else []


def models(rows: Sequence[Measurement]) -> Section:
    """Model quality and calibration."""
    figures = [*quality.deviation(rows), *quality.reliability(rows), *quality.accuracy(rows)]
    cells = {
        (r.data, r.model, r.repair, r.quantity): r for r in rows if r.by == "all" and r.quantity in QUALITIES
    }
    names = [name for name in QUALITIES if any(key[3] == name for key in cells)]
    groups = list(dict.fromkeys(key[:3] for key in cells))
    lead, head = _lead(groups, always="repair")
    low = " ECE, MCE, NLL and Brier: lower is better." if "ece" in names else ""
    table = Table(
        (*head, *(NAMED.get(name, words(name)) for name in names)),
        tuple(
            (*lead(g), *(_span(cells.get((*g, name)), share=name in SHARES) for name in names))
            for g in groups
        ),
        "In numbers",
        f"Mean over seeds with 95 % intervals.{low}",
    )
    text = "An explanation is at most as good as its model, and it changes when the prediction changes."
    folded = [f1_table(rows), ranking_table(rows)]
    return Section("How good are the models, and how sure?", text, figures, [table], folded)


def repairs(rows: Sequence[Measurement]) -> Section:
    """What each repair gains and costs."""
    gained = select(rows, "gain")
    if not gained and not select(rows, "cost"):
        return Section("What a repair changes")
    hold = {(r.data, r.model, r.repair, r.explainer): r for r in select(rows, "hold")}
    change = {(r.data, r.model, r.repair, r.explainer): r for r in select(rows, "change")}
    lead, head = _lead([(r.data, r.model, r.repair) for r in gained], always="repair")
    table = Table(
        (*head, "explainer", "before", "after", "gain", "change"),
        tuple(
            (
                *lead((r.data, r.model, r.repair)),
                words(r.explainer),
                _span(hold.get((r.data, r.model, "none", r.explainer)), scaled=True),
                _span(hold.get((r.data, r.model, r.repair, r.explainer)), scaled=True),
                _span(r),
                _span(change.get((r.data, r.model, r.repair, r.explainer))),
            )
            for r in gained
        ),
        "Hold before and after",
        "Change: how far the repair moves the explanations of the same seed (Jensen–Shannon).",
    )
    figures = [*repaired.gain(rows), *holds.hold_of_all(rows), *repaired.cost(rows)]
    text = "What a repair gains in hold and costs in accuracy. An interval that contains 0 decides nothing."
    return Section("What a repair changes", text, figures, [table])


def glossary(rows: Sequence[Measurement]) -> Section:
    """What each method that appears is, from its own docstring."""
    kinds = {
        "explainers": [name for r in rows for name in (r.explainer,)],
        "comparisons": [r.comparison for r in rows],
        "repairs": [r.repair for r in rows],
        "probes": [r.probe for r in rows],
    }
    lines = [
        (heading(name), kind[:-1], said)
        for kind, names in kinds.items()
        for name in dict.fromkeys(filter(None, names))
        if (said := describe(kind, name))
    ]
    table = Table(("name", "kind", "what it is"), tuple(lines), "Every method in this report")
    return Section("What the words mean", folded=[table])


def overview(rows: Sequence[Measurement]) -> Table:
    """Every data set, model and repair in one line each; empty where there is only one."""
    hold = {(r.data, r.model, r.repair, r.explainer): r for r in select(rows, "hold")}
    qualities = select(rows, "accuracy") or select(rows, "recall")
    accuracy = {(r.data, r.model, r.repair): r for r in qualities}
    groups = list(dict.fromkeys([*(key[:3] for key in hold), *accuracy]))
    names = list(dict.fromkeys(key[3] for key in hold))
    lead, head = _lead(groups, always="repair")
    lines: list[tuple[Entry, ...]] = [
        (*lead(g), _span(accuracy.get(g), share=True), *(_span(hold.get((*g, n))) for n in names))
        for g in groups
    ]
    return Table(
        (*head, "recall" if select(rows, "recall") else "accuracy", *map(words, names)),
        tuple(lines) if len(lines) > 1 else (),
        "Side by side",
    )


def _lead(
    groups: Sequence[Group], always: str = ""
) -> tuple[Callable[[Group], tuple[str, ...]], tuple[str, ...]]:
    """The leading columns: of data, model and repair, those that differ, and ``always``."""
    heads = ("data", "model", "repair")
    kept = [i for i, name in enumerate(heads) if name == always or len({group[i] for group in groups}) > 1]
    return lambda group: tuple(group[i] for i in kept), tuple(heads[i] for i in kept)


def _span(row: Measurement | None, scaled: bool = False, share: bool = False) -> Span:
    if row is None:
        return Span(None)
    return Span(
        row.value,
        row.low,
        row.high,
        scaled=scaled,
        share=share,
        digits=2 if row.quantity in ("hold", "gain") else 3,
    )


def _arrow(name: str) -> str:
    comparison = catalogue("comparisons").get(split_label(name)[0])
    return "" if comparison is None else " ↑" if comparison.higher_is_better else " ↓"  # type: ignore[attr-defined]
