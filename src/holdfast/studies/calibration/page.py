"""The report of the calibration study: the claims first, then every table and figure."""

from collections.abc import Sequence
from dataclasses import replace

from holdfast.measure.claims import Claim
from holdfast.report.charts.curves import published as beside_figures
from holdfast.report.claims import claims_section, counted, not_run_table
from holdfast.report.page import Entry, Page, Section, Span, Table
from holdfast.studies.calibration.charts import (
    along,
    by_class,
    family_name,
    log_odds,
    permutations,
)
from holdfast.studies.calibration.link_section import link_section
from holdfast.studies.calibration.ranking import UNFINISHED
from holdfast.studies.calibration.rating_section import rating_section
from holdfast.studies.calibration.vector_section import vector_section
from holdfast.study.findings import Findings
from holdfast.study.measurement import Measurement
from holdfast.study.published_number import Published

ABOVE = (
    "Measured is how far the claim is met, not the quantity itself: of “at most two points” what is left of "
    "them, of “less than” the distance below, of correlations that should fall their opposite. Each must be "
    "above 0. Where several families were asked, the weakest is shown."
)


def page(findings: Findings, claims: Sequence[Claim], published: Sequence[Published]) -> Page:
    """What came out and how it is judged, then every part of the page that has something to show."""
    names = short_names(findings.rows)
    rows = [replace(row, data=names[row.data]) for row in findings.rows]
    claims = [replace(claim, where=names.get(claim.where, claim.where)) for claim in claims]
    every = [
        claims_section(claims, "Each family by itself", ABOVE),
        _beside(published),
        Section(
            "How good are the recommenders?",
            "The epoch is chosen on a validation item. The document's numbers are of the epoch that is best "
            "on the test items themselves, which is optimistic: it stands beside ours. A model that was "
            "still improving when training ended would be better with more epochs: whether DeepICF is as "
            "good stays undecided then.",
            tables=[ranking_table(rows)],
        ),
        rating_section(rows),
        Section(
            "How sure, and how right?",
            candidates(rows),
            figures=by_class(rows),
            tables=[class_table(rows)],
        ),
        shuffled_section(rows),
        link_section(rows),
        Section(
            "Do seeds agree?",
            figures=[
                *along(
                    rows,
                    "prediction_deviation",
                    "How far scores deviate over seeds",
                    "mean absolute deviation",
                ),
                *along(rows, "top_shared", "What two seeds share of the most attended", "Jaccard index"),
            ],
        ),
        vector_section(rows),
    ]
    return Page(_intro(claims), [section for section in every if not section.empty])


def shuffled_section(rows: Sequence[Measurement]) -> Section:
    """The effect of shuffling by confidence (Figures 3.8 and 3.9); empty where no model attends."""
    return Section(
        "Does attention matter where the model is sure?",
        "A probability near 0 or 1 hardly moves whatever is done to the model. So the same is asked of the "
        "log-odds, which cannot saturate.",
        figures=[*permutations(rows), *log_odds(rows)],
        folded=[slope_table(rows)],
        notes=shuffled(rows),
    )


def short_names(rows: Sequence[Measurement]) -> dict[str, str]:
    """Data sets without their settings, which stand at the foot of the page, where that tells them apart."""
    every = list(dict.fromkeys(row.data for row in rows))
    short = {data: data.split(":")[0] for data in every}
    return short if len(set(short.values())) == len(every) else {data: data for data in every}


def _intro(claims: Sequence[Claim]) -> list[str]:
    return [
        counted(claims),
        "Intervals are 95 %, over seeds (for neighbours over seeds and users or items, "
        "for links with miscalibration over seeds and test examples). p is corrected by "
        "Holm for the claims of a data set. A claim came out when it is above 0 beyond chance and large "
        "enough to matter; it did not when so large an effect is excluded.",
    ]


def _beside(published: Sequence[Published]) -> Section:
    ran = [one for one in published if one.measured is not None]
    caption = "Diamonds: published. Dots: measured, the mean over seeds with its 95 % interval."
    return Section(
        "Published beside measured",
        "Rows marked as quoted are of other papers, copied by the document.",
        figures=beside_figures("tables", "Table", caption, ran),
        tables=[not_run_table(published)],
    )


def candidates(rows: Sequence[Measurement]) -> str:
    """Why a recommender that fits its training is too sure here that items are taken; nothing of texts."""
    sizes = {r.bin: r.value for r in rows if (r.quantity, r.by) == ("size", "split")}
    if "Test negative pairs" not in sizes:
        return ""
    return (
        "Probabilities are those of a model that saw four others for each item taken; the test has "
        f"{sizes['Test negative pairs'] / sizes['Full users']:.0f}, so that even a model that fits its "
        "training is too sure here that items are taken, and not sure enough that they are not."
    )


def shuffled(rows: Sequence[Measurement]) -> list[str]:
    """For which pairs of a recommender attention is shuffled, where any attends."""
    attends = {row.data for row in rows if row.quantity == "permutation"}
    sizes = {(r.data, r.bin): int(r.value) for r in rows if (r.quantity, r.by) == ("size", "split")}
    return [
        f"{data}: attention is shuffled for the true item of each of {sizes[data, 'Full users']:,} users "
        f"and, of {sizes[data, 'Test negative pairs']:,} negative pairs, for {count:,}, one drawn for each "
        "user."
        for (data, name), count in sizes.items()
        if name == "Shuffled negative pairs" and data in attends
    ]


def ranking_table(rows: Sequence[Measurement]) -> Table:
    """Hit rate and NDCG of every family: chosen on validation, best on test, and among all items."""
    lookup = {(r.family, r.quantity, r.bin): r for r in rows if r.by in ("among", "all")}
    early = {r.family for r in rows if r.quantity == UNFINISHED and r.value}
    families = dict.fromkeys(r.family for r in rows if (r.quantity, r.by) == ("hr@10", "among"))
    named = {r.family: (r.data, family_name(r)) for r in rows}

    def cell(family: object, quantity: str, bin: str) -> Span:
        row = lookup.get((family, quantity, bin))  # type: ignore[arg-type]
        return Span(None) if row is None else Span(row.value, row.low, row.high, share=True)

    chosen = [("hr@10", "sampled"), ("ndcg@10", "sampled"), ("hr@10_best", ""), ("ndcg@10_best", "")]
    columns = [*chosen, ("hr@10", "all items"), ("ndcg@10", "all items")]
    lines: list[tuple[Entry, ...]] = [
        (
            *named[family],
            *(cell(family, quantity, bin) for quantity, bin in columns),
            "yes" if family in early else "no",
        )
        for family in families
    ]
    heads = ("HR@10", "NDCG@10", "HR, best on test", "NDCG there", "HR, all items", "NDCG, all items")
    end = "still improving"
    return Table(("data", "model", *heads, end), tuple(lines), "", "95 % intervals over seeds.")


def class_table(rows: Sequence[Measurement]) -> Table:
    """Over-confidence by true class, and what a calibrated model would show."""
    names = ("overconfidence_class", "overconfidence_calibrated", "overconfidence_beyond")
    lookup = {(r.family, r.label, r.quantity): r for r in rows if r.quantity in names}
    named = {r.family: (r.data, family_name(r)) for r in rows}
    lines: list[tuple[Entry, ...]] = [
        (*named[family], label, *(_span(lookup.get((family, label, name))) for name in names))
        for family, label in dict.fromkeys((family, label) for family, label, _ in lookup)
    ]
    heads = ("over-confidence", "of a calibrated model", "beyond it")
    caption = (
        "Mean confidence less the share of right answers, of the cases of one true class. A calibrated "
        "model: the same predictions, with labels drawn as they say. 95 % intervals over seeds."
    )
    return Table(("data", "model", "true class", *heads), tuple(lines), "", caption)


def slope_table(rows: Sequence[Measurement]) -> Table:
    """Whether the effect of a change of attention falls with confidence, for every family and outcome."""
    lines: list[tuple[Entry, ...]] = [
        (r.data, family_name(r), r.probe.replace("_", " "), r.label, _span(r))
        for r in rows
        if r.quantity.endswith("_slope")
    ]
    title = "Rank correlation of confidence and effect"
    caption = "Below 0, attention matters less where the model is surer. 95 % intervals over seeds."
    return Table(
        ("data", "model", "change of attention", "predictions", "correlation"), tuple(lines), title, caption
    )


def _span(row: Measurement | None) -> Span:
    return Span(None) if row is None else Span(row.value, row.low, row.high)
