"""The report of the rollout study: the claims first, then every table and figure, then what is beyond."""

from collections.abc import Sequence

from holdfast.measure.claims import Claim
from holdfast.report.charts.curves import published as beside_figures
from holdfast.report.charts.select import select
from holdfast.report.claims import claims_section, counted, not_run_table
from holdfast.report.page import Page, Section, Table
from holdfast.report.ranking import ranking_table
from holdfast.studies.rollout.charts import (
    by_model,
    controls,
    correlations,
    deletions,
    dynamics,
    genres,
    histograms,
    left_out,
    worked,
)
from holdfast.studies.rollout.names import by_place, data_name, model_name
from holdfast.studies.rollout.plan import LONG
from holdfast.studies.rollout.published_tables import SD
from holdfast.studies.rollout.questions import LITTLE, MORE
from holdfast.studies.rollout.tables import reasons_table, seeds_table
from holdfast.study.findings import Example, Findings
from holdfast.study.measurement import Measurement
from holdfast.study.published_number import Published

BESIDE = "Published beside measured"
ABOVE = "Each number must be above 0. Where every one of several must, the weakest is shown."


def page(findings: Findings, claims: Sequence[Claim], published: Sequence[Published]) -> Page:
    """What came out and how it is judged, then every part of the page that has something to show."""
    return Page(intro(claims), sections(findings.rows, claims, published, findings.examples))


def intro(claims: Sequence[Claim]) -> list[str]:
    """What came out, in a sentence, and how it is judged."""
    return [
        counted(claims),
        "Intervals are 95 %, of two jackknives added: one leaves the same seed out of every family, the "
        "other the same tenth of the users. p is corrected by Holm for the claims of a data set. A claim "
        f"came out when it is above 0 beyond chance and large enough to matter ({MORE} of a correlation, "
        f"{LITTLE} of μ); it did not when so large an effect is excluded.",
    ]


def sections(
    rows: Sequence[Measurement],
    claims: Sequence[Claim],
    beside: Sequence[Published],
    examples: Sequence[Example] = (),
) -> list[Section]:
    """Every part of the page that has something to show."""
    every = [
        claims_section(claims, "Each configuration by itself", ABOVE, where=data_name),
        _beside(beside),
        *_agreement(rows),
        *_changes(rows, examples),
        *_beyond(rows),
    ]
    return [section for section in every if not section.empty]


def _beside(beside: Sequence[Published]) -> Section:
    ran = [r for r in beside if r.measured is not None and not r.column.endswith(SD)]
    caption = "Diamonds: published, one run. Dots: measured, the mean over seeds with its 95 % interval."
    return Section(
        BESIDE,
        "All on the validation item, as published. μ stands under each first rank, as the document mixes "
        "them; p is of the middle seed. The entropy of Table 4.5 is of b = 2, which the document does not "
        "say. The deviation over users is in published.csv, as rows of its own.",
        figures=beside_figures("tables", "Table", caption, ran),
        tables=[not_run_table(beside)],
    )


def _agreement(rows: Sequence[Measurement]) -> list[Section]:
    return [
        Section(
            "Do the rankings agree?",
            "Spearman's correlation within each history, then the mean over users and seeds. Shapley values "
            "are compared by size with what has no sign.",
            figures=correlations(rows),
        ),
        Section(
            "Does the correlation itself hold?",
            "The document has one run of each. Here every number has as many as there are seeds, and two "
            "controls: rollout of another seed, and members that never learned anything.",
            figures=[controls(rows)],
            folded=[seeds_table(rows)],
        ),
        Section("How the correlation is spread over users", figures=histograms(rows)),
        Section("Along training", figures=dynamics(rows)),
    ]


def _changes(rows: Sequence[Measurement], examples: Sequence[Example]) -> list[Section]:
    return [
        Section(
            "Deleting items",
            "A deleted item is a hole for every layer. What the document calls Jensen–Shannon is half the "
            "symmetrised Kullback–Leibler divergence; both are here under their right names.",
            figures=[
                *deletions(rows, "jeffreys"),
                *deletions(rows, "jensen_shannon"),
                by_model(
                    select(rows, "entropy"),
                    "entropy",
                    "Entropy of attention",
                    "Of the first block, in bits (Baumhauer Table 4.5). 95 % intervals over seeds and users.",
                    "bits",
                ),
            ],
        ),
        Section(
            "Attention between genres",
            "Movies of four genres that the model was never told of, asked by movies of the same genres.",
            figures=genres(rows),
        ),
        Section("A worked example", figures=worked(examples)),
        Section(
            "A sign for attention",
            "“Because you watched” must not name what speaks against. Signed attention takes its sign from "
            "leave-one-out; Shapley values are the judge.",
            figures=[left_out(rows)],
            folded=[reasons_table(rows)],
        ),
    ]


def _beyond(rows: Sequence[Measurement]) -> list[Section]:
    held = [row for row in select(rows, "hold") if row.explainer != "random"]
    return [
        Section("How good are the recommenders?", folded=[_ranking(rows)]),
        Section(
            "Beyond the document: does it hold?",
            "Hold: how much of an explanation survives another seed; 1 is the same again, 0 no better than "
            "shuffled.",
            figures=[
                by_model(
                    held,
                    "hold",
                    "Hold over seeds",
                    "Dashed: from 0.8 it holds, below 0.5 it does not. 95 % intervals over seeds.",
                    "hold",
                    marks=(0.5, 0.8),
                )
            ],
        ),
    ]


def _ranking(rows: Sequence[Measurement]) -> Table:
    """Recommenders in the order of the document, without those trained for the genres alone."""
    kept = [row for row in rows if row.data not in LONG.values()]
    rest = [row for row in kept if (row.quantity, row.by) != ("recall", "all")]
    ordered = [*by_place(select(kept, "recall")), *rest]
    return ranking_table(ordered, lambda row: (data_name(row.data), model_name(row.model, row.repair)))
