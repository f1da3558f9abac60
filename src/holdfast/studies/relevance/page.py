"""The report of the relevance study: the questions first, heat maps, then every table and figure."""

from collections.abc import Sequence
from typing import Any

from holdfast.measure.claims import Claim
from holdfast.report.charts.curves import published as beside_figures
from holdfast.report.charts.select import select, words
from holdfast.report.claims import claims_section, counted
from holdfast.report.page import Page, Section, Span, Table
from holdfast.studies.relevance.charts import (
    by_cell,
    cosine_figures,
    deletion_curves,
    intervals,
    names,
    over_time,
)
from holdfast.studies.relevance.cosines import BOTH
from holdfast.studies.relevance.grids import grids, positive_grids
from holdfast.studies.relevance.measures import LOOKED, PROBED
from holdfast.studies.relevance.names import is_majority, label_of, majority
from holdfast.studies.relevance.published_tables import TUKEY
from holdfast.studies.relevance.questions import LEAST
from holdfast.studies.relevance.tables import (
    accuracy_table,
    apart_table,
    pairs_section,
    unknown_table,
    weakest,
)
from holdfast.study.findings import Findings
from holdfast.study.measurement import Measurement
from holdfast.study.picture import Picture
from holdfast.study.published_number import Published

BESIDE = "Published beside measured"
DETAILS = "By data set and by method"
UNITS = (
    "In units of cosine: a difference, what one step deeper adds, or how much further cells lie apart "
    "(standard deviation). Over the methods that the document compares, simple Taylor by itself. Where all "
    "of several numbers must be above 0, the weakest is shown."
)
POSITIVE = ("rlstm_sd", "convrlstm_sd")


def page(findings: Findings, claims: Sequence[Claim], published: Sequence[Published]) -> Page:
    """What came out and how it is judged, then every part of the page that has something to show."""
    return Page(intro(claims), sections(findings.rows, claims, published, findings.pictures))


def intro(claims: Sequence[Claim]) -> list[str]:
    """What came out, in a sentence, and how it is judged."""
    heads = [claim for claim in claims if not claim.detail]
    return [
        counted(claims),
        "All are about the cosine of relevance per block with the blocks that decide: 1 is perfect. "
        f"{_over(heads)} p is corrected by Holm for the number of claims. A claim came out when it is above "
        f"0 beyond chance and at least {LEAST} (a difference of two cells; over four cells, that from the "
        "first to the last); it did not when so large an effect is excluded, with the same correction.",
    ]


def _over(claims: Sequence[Claim]) -> str:
    """What the intervals of claims are over."""
    if any(claim.over == BOTH for claim in claims):
        return (
            "Intervals are 95 %, of two jackknives added: one leaves the same fold or seed out of every "
            "cell, the other the same tenth of the images."
        )
    return (
        "Intervals are 95 %, by a jackknife that leaves the same fold or seed out of every cell: they are "
        "over members alone, for the images explained, as this run kept nothing by image."
    )


def sections(
    rows: Sequence[Measurement],
    claims: Sequence[Claim],
    beside: Sequence[Published],
    pictures: Sequence[Picture] = (),
) -> list[Section]:
    """Every part of the page that has something to show; that nothing was published is said too."""
    every = _sections(rows, claims, beside, pictures)
    return [section for section in every if not section.empty or section.title == BESIDE]


def _sections(
    rows: Sequence[Measurement],
    claims: Sequence[Claim],
    beside: Sequence[Published],
    pictures: Sequence[Picture],
) -> list[Section]:
    wide = [p for p in pictures if is_majority(p.data)]
    single = [p for p in pictures if not is_majority(p.data)]
    return [
        claims_section(claims, DETAILS, UNITS, [apart_table(rows, claims)], name=weakest),
        Section(
            "Heat maps: the majority of three",
            "Red speaks for the true class, blue against it. Each map's absolute relevance adds up to 1 and "
            "all maps of an image share one scale, so that one that is spread out is paler; the strongest "
            "0.5 % of their pixels are in full colour. Two of the three blocks belong to the class (Chormai "
            "Figures 4.11, 4.16, 4.18).",
            grids=grids(wide, budget=250_000),
        ),
        Section(
            "Positive relevance alone",
            "LRP without what speaks against, with and without convolutions (Chormai Figure 4.19), drawn as "
            "above.",
            grids=positive_grids(wide, "lrp", POSITIVE)[:2],
        ),
        Section(
            "Heat maps: one image in strips",
            "The same image cut into T strips, and the feed-forward control (Chormai Figures 3.14 and 4.4 "
            "to 4.6), drawn as above.",
            grids=grids(single, budget=90_000),
        ),
        Section(
            "Is relevance on the blocks that decide?",
            "Relevance that is the same on every block has a cosine of 0.816 already: below that line a heat "
            "map points away from the truth.",
            figures=cosine_figures(rows),
            folded=[unknown_table(rows)],
        ),
        pairs_section(rows, beside),
        Section(BESIDE, _beside_text(beside), figures=_beside(beside), tables=[accuracy_table(rows)]),
        Section("Relevance over time", figures=[*over_time(rows), *_distance(rows)]),
        _faithful(rows),
        _stable(rows),
    ]


def _beside_text(beside: Sequence[Published]) -> str:
    if all(line.measured is None for line in beside):
        return "The document has no row for these data and cells."
    return (
        "Accuracies in percent. Printed weight counts leave out what the document left out: the recurrent "
        "input at T = 1, and all but one of each gate's biases in the R-LSTM."
    )


def _beside(beside: Sequence[Published]) -> Sequence[Any]:
    caption = "Diamonds: published. Dots: measured, with their 95 % interval."
    ran = [r for r in beside if r.measured is not None and r.table != TUKEY]
    return beside_figures("tables", "Table", caption, ran)


def _distance(rows: Sequence[Measurement]) -> list[Any]:
    caption = (
        "Earth mover's distance of relevance from ink over the steps: 0 is the same steps, 1 the far end. "
        + intervals(rows)
    )
    return [
        by_cell(
            select(rows, "time"), "time-distance", "How far relevance is from the ink", caption, "distance"
        )
    ]


def _faithful(rows: Sequence[Measurement]) -> Section:
    wide = majority(rows)
    return Section(
        "Beyond the document: does it matter to the prediction, and does it see strokes?",
        "The cosine sees one number per block. Deletion asks the model itself; structure asks whether "
        "relevance inside a block follows the strokes of this very image.",
        figures=[
            *deletion_curves(rows),
            by_cell(
                select(wide, "deletion"),
                "deletion",
                "Deletion, over a random order",
                "Area over the curve beyond that of a random order: 0 is no better than chance. "
                + intervals(rows, both=False, most=PROBED),
                "AOPC gained",
            ),
            by_cell(
                select(wide, "structure"),
                "structure",
                "Structure inside the blocks",
                "Rank correlation of positive relevance with the ink, less what the same map scores on "
                f"another image: 0 sees no strokes. {intervals(rows, most=LOOKED)}",
                "structure",
            ),
        ],
        notes=[
            "The cosine and the structure can differ: a block may be right as a whole and say nothing inside."
        ]
        if select(wide, "structure")
        else [],
    )


def _stable(rows: Sequence[Measurement]) -> Section:
    held, folded = (
        [row for row in majority(select(rows, "hold", by)) if row.explainer != "random"]
        for by in ("all", "folds")
    )
    gone, over = select(rows, "lost"), intervals(rows, both=False)
    named = names(gone)
    lost = tuple(
        (*named[label_of(row)], words(row.explainer), Span(row.value, row.low, row.high, share=True))
        for row in gone
    )
    return Section(
        "Beyond the document: does it hold?",
        "Hold: how much of a heat map survives another seed or fold; 1 is the same again, 0 no better than "
        "shuffled. Lost: the share of the evidence that did not reach the pixels.",
        figures=[
            by_cell(
                held,
                "hold",
                "Hold over seeds",
                f"The same data, another seed; dashed: from 0.8 it holds. {over}",
                "hold",
                (0.8,),
            ),
            by_cell(
                folded,
                "hold-folds",
                "Hold over folds",
                f"Other training data; dashed: from 0.8 it holds. {over}",
                "hold",
                (0.8,),
            ),
        ],
        folded=[Table(("data", "cell", "method", "lost"), lost, "Relevance lost on the way")],
    )
