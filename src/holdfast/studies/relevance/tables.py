"""The tables of the relevance report: accuracies, and which cells differ."""

from collections.abc import Sequence

from holdfast.measure.claims import Claim
from holdfast.report.charts.select import select, words
from holdfast.report.claims import p_text
from holdfast.report.page import Entry, Section, Span, Table
from holdfast.report.texts import number, percent
from holdfast.studies.relevance.charts import names
from holdfast.studies.relevance.names import (
    METHODS,
    as_documented,
    cell_of,
    data_of,
    label_of,
    place_of,
    steps_of,
)
from holdfast.studies.relevance.published_tables import TUKEY
from holdfast.study.measurement import Measurement
from holdfast.study.published_number import Published

USABLE = {"mnist": 0.98, "mnist-maj": 0.98, "fashion-mnist": 0.85, "fashion-maj": 0.85}  # Table 4.2
FAR = 0.01  # of accuracy: more makes a comparison of cells unfair


def accuracy_table(rows: Sequence[Measurement]) -> Table:
    """How large and how good each cell is, and whether the document would have used it."""
    accuracies, sizes = (
        _accuracies(rows),
        {label_of(row): f"{row.value:,.0f}" for row in select(rows, "weights")},
    )
    named = names(accuracies)
    ranked = sorted(
        accuracies, key=lambda r: (named[label_of(r)][0], place_of(cell_of(r.model)), steps_of(r.data))
    )
    lines = tuple(
        (*named[label_of(r)], sizes.get(label_of(r), "–"), _accuracy(r), _usable(r)) for r in ranked
    )
    caption = (
        "On images that no member trained on, of the published test part where that is known. Usable: at "
        "least 98 % on MNIST, 85 % on FashionMNIST (Chormai Table 4.2); reported here, nothing is left out."
    )
    return Table(("data", "cell", "weights", "accuracy", "usable"), lines, "Accuracy", caption)


def apart_table(rows: Sequence[Measurement], claims: Sequence[Claim]) -> Table:
    """Which claims compare cells whose accuracies differ by more than one point."""
    accuracies = as_documented(_accuracies(rows))
    lines: list[tuple[Entry, ...]] = []
    for claim in claims:
        for data in () if claim.detail else claim.where.split(" and "):
            mine = sorted(
                (r for r in accuracies if r.data == data and r.model in claim.models), key=lambda r: r.value
            )
            if mine and mine[-1].value - mine[0].value > FAR:
                ends = (f"{row.model}: {percent(row.value)}" for row in (mine[0], mine[-1]))
                points = f"{number(100 * (mine[-1].value - mine[0].value), 1)} points"
                lines.append((claim.statement, data, *ends, points))
    return Table(
        ("claim", "data", "lowest", "highest", "apart"),
        tuple(lines),
        "Claims that compare cells of different accuracy",
        "The document compares models that are equally good (§4.3.3). Here the accuracies of cells that a "
        "claim compares differ by more than one point: some of what is measured may come from that.",
    )


def unknown_table(rows: Sequence[Measurement]) -> Table:
    """For how many images a method gave nothing to judge."""
    unknown = [row for row in select(rows, "unknown") if row.value > 0]
    members = {(*label_of(row), row.explainer): row.n for row in select(rows, "cosine")}
    named = names(unknown)
    lines = tuple(
        (
            *named[label_of(r)],
            words(r.explainer),
            Span(r.value, share=True),
            str(members.get((*label_of(r), r.explainer), 0)),
        )
        for r in unknown
    )
    return Table(
        ("data", "cell", "method", "images left out", "members counted"),
        lines,
        "Images without relevance to share",
        "Relevance that does not sum to more than 0 has no share per block. Such images are left out, and "
        "so is a member that has no others. Negative relevance is dropped first for LRP alone (Chormai "
        "§4.3.2).",
    )


def pairs_section(rows: Sequence[Measurement], beside: Sequence[Published]) -> Section:
    """Tukey's differences: those of Appendix 2 beside ours, made in the same way, then of every two cells."""
    holm = {(r.explainer, r.model, r.other_model): r.value for r in select(rows, "tukey_holm")}
    differences = select(rows, "tukey")
    every: tuple[tuple[Entry, ...], ...] = tuple(
        (
            words(row.explainer),
            f"{row.other_model} − {row.model}",
            Span(row.value, row.low, row.high, digits=3),
            p_text(holm.get((row.explainer, row.model, row.other_model))),
        )
        for row in differences
    )
    return Section(
        "Is one cell explained better than another?",
        _blocks(differences[0]) if differences else "",
        tables=[_appendix(beside)],
        folded=[
            Table(("method", "cells", "measured", "p, corrected"), every, "Every two cells"),
            _variance(rows),
        ],
    )


def _appendix(beside: Sequence[Published]) -> Table:
    """Of the four cells of §4.3 alone, both data sets pooled without a block, as the document has it."""
    said = {(line.row, line.column): line.published for line in beside if line.table == TUKEY}
    lines: list[tuple[Entry, ...]] = []
    for line in beside:
        if (line.table, line.column) == (TUKEY, "difference") and line.measured is not None:
            method, _, cells = line.row.partition(": ")
            low, high = (said.get((line.row, end)) for end in ("lower", "upper"))
            measured = Span(line.measured, line.low, line.high, digits=3)
            lines.append((words(method), cells, Span(line.published, low, high, digits=3), measured))
    return Table(
        ("method", "cells", "published", "measured"),
        tuple(lines),
        "Beside Appendix 2",
        "As the document does it: the four cells of §4.3, MNIST-MAJ and FashionMNIST-MAJ pooled, one way.",
    )


def _blocks(row: Measurement) -> str:
    """What Tukey's differences are of, and what they cannot know."""
    return (
        f"Tukey's differences of mean cosine on {row.data}, the data set and the member as a block; p is "
        "corrected for asking every method (Holm). Folds share training images and all members explain "
        "the same images, so p is for these images and a little too small."
    )


def _accuracies(rows: Sequence[Measurement]) -> list[Measurement]:
    """On the published test part where that is known, else on the test split."""
    accuracies = {label_of(row): row for row in select(rows, "accuracy")}
    return list((accuracies | {label_of(row): row for row in select(rows, "accuracy_published")}).values())


def _accuracy(row: Measurement) -> Span:
    """From two members an interval says nothing."""
    low, high = (row.low, row.high) if row.n > 2 else (None, None)
    return Span(row.value, low, high, share=True)


def _usable(row: Measurement) -> str:
    least = USABLE.get(data_of(row.data))
    return "–" if least is None else "yes" if row.value >= least else "no"


def _variance(rows: Sequence[Measurement]) -> Table:
    tests = select(rows, "anova_f")
    at = {(r.quantity, r.explainer): r.value for r in rows if r.quantity in ("anova_p", "anova_eta")}
    lines = tuple(
        (
            words(r.explainer),
            Span(r.value),
            p_text(at.get(("anova_p", r.explainer))),
            Span(at.get(("anova_eta", r.explainer)), digits=3),
        )
        for r in tests
    )
    return Table(("method", "F", "p", "η²"), lines, "Do cells differ at all? Analysis of variance, all cells")


def weakest(name: str) -> str:
    """The weakest of several numbers for a reader, methods in words."""
    return " ".join(words(part) if part in METHODS else part for part in name.split())
