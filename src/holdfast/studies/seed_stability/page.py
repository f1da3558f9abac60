"""The report of the seed-stability study: claims first, then published beside measured, then the figures."""

from collections.abc import Sequence

from holdfast.core.catalogue import make
from holdfast.measure.claims import Claim
from holdfast.report.charts.base import Figure
from holdfast.report.charts.curves import curves, trajectories
from holdfast.report.charts.curves import published as beside_figures
from holdfast.report.charts.holds import by_layer, hold_of_all, per_word
from holdfast.report.charts.repaired import cost, gain
from holdfast.report.charts.select import key, remark, select, settings, within
from holdfast.report.charts.surface import surface
from holdfast.report.claims import claims_section, counted, not_run_table
from holdfast.report.page import Page, Section, Table
from holdfast.report.texts import number
from holdfast.studies.seed_stability.published_tables import SIZES
from holdfast.studies.seed_stability.questions import LEAST, LEAST_SLIGHT, MARGIN
from holdfast.studies.seed_stability.surface import Landscape, landscape
from holdfast.study.findings import Findings
from holdfast.study.measurement import Measurement
from holdfast.study.published_number import Published

PROBABILITY = "predicted probability"
KL = "KL divergence, nats"


RULE = (
    "A cut is 1 − after / before. Intervals are 95 %, of two jackknives added: one leaves the same seed out "
    "of every family, the other the same twentieth of the test texts; they are of the logarithm of the "
    "ratio, so that no cut exceeds 100 %. Over several models a claim is about the mean of that logarithm. "
    "p is corrected by Holm for the claims of a data set. A claim came out when it is above 0 beyond chance "
    f"and at least {100 * LEAST:.0f} % (NASWA against ASWA: {100 * LEAST_SLIGHT:.0f} %, as the document says "
    "slightly); it did not when so large a cut is excluded. Accuracy is kept when it falls by less than "
    f"{100 * MARGIN:.0f} point beyond chance, in every model: the published spread of one seed on SST. "
    "Models that learned less agree more easily: read a cut beside the accuracy."
)


def page(findings: Findings, claims: Sequence[Claim], published: Sequence[Published]) -> Page:
    """What came out and how it is judged, then every part of the page."""
    return Page([counted(claims), RULE], sections(findings.rows, claims, published))


def sections(
    rows: Sequence[Measurement],
    claims: Sequence[Claim],
    beside: Sequence[Published],
    plane: Landscape | None = None,
) -> list[Section]:
    """Every part of the page."""
    return [
        claims_section(claims, "Each model by itself"),
        _beside(beside),
        Section("Predictions", figures=[_deviation(rows)]),
        Section(
            "Attention",
            figures=[
                _stability(rows, "attention", "kl", "Figures 4.13, 4.15 to 4.17"),
                _stability(rows, "attention", "jaccard", "Figure 4.14"),
                *_labels(rows),
            ],
        ),
        Section(
            "By our own scale",
            "KL also shrinks when attention merely becomes flatter. Hold asks how much of the explanation "
            "survives: 1 is the same again, 0 no better than shuffled.",
            figures=[*hold_of_all(rows), *gain(rows), *cost(rows)],
        ),
        Section("Gradients", figures=[_stability(rows, "gradient", "kl", "Figure 4.21")]),
        Section("Single sentences", figures=per_word(rows)),
        Section(
            "Layer by layer",
            "Linear CKA between seeds: 1 is the same up to rotation. The document leaves this open.",
            figures=by_layer(rows),
        ),
        Section("Where the seeds go", figures=_paths(rows)),
        Section("Why averaging is careful", figures=_surfaces(plane or _landscape())),
    ]


def _beside(beside: Sequence[Published]) -> Section:
    ran = [line for line in beside if line.measured is not None]
    accuracies = [line for line in ran if line.table != SIZES]
    caption = (
        "Diamonds: published, ten seeds. Dots: measured; the bar is the 95 % interval over seeds: Student's "
        "t of a mean, χ² of a deviation, a jackknife of a cut, which is made of two deviations."
    )
    sizes = tuple(
        (r.row, r.column, number(r.published, 0), number(r.measured, 0)) for r in ran if r.table == SIZES
    )
    columns = ("data", "", "published", "ours")
    return Section(
        "Published beside measured",
        "In percent. The published sizes of SST and IMDB are of filtered copies; ours are the usual splits."
        if ran
        else "Tables 4.1 to 4.3 have no row for these data, models, repairs and this optimiser.",
        figures=beside_figures("tables", "Table", caption, accuracies),
        tables=[Table(columns, sizes, "Table 4.1: texts of each class, and their words")],
        folded=[not_run_table(beside)] if ran else [],
    )


def _facet(row: Measurement, many: bool) -> str:
    return f"{row.data}, {row.model}" if many else row.model


def _deviation(rows: Sequence[Measurement]) -> Figure:
    chosen = select(rows, "deviation", "confidence")
    many = len({row.data for row in chosen}) > 1
    points = [(_facet(r, many), r.repair, r.at or 0.0, r.value, r.low, r.high) for r in chosen]
    caption = "Standard deviation over seeds of the predicted probability (Jain Figures 4.11, 4.12)."
    return curves("deviation", "Prediction deviation", caption, points, (PROBABILITY, "deviation"))


def _stability(rows: Sequence[Measurement], explainer: str, comparison: str, source: str) -> Figure:
    chosen = select(rows, "stability", "probability", explainer=explainer, comparison=comparison)
    many = len({row.data for row in chosen}) > 1
    points = [(_facet(r, many), r.repair, r.at or 0.0, r.value, r.low, r.high) for r in chosen]
    name = {"kl": KL, "jaccard": "Jaccard distance of the top 20 %"}[comparison]
    caption = f"Mean over all pairs of seeds, by predicted probability (Jain {source}).{remark([comparison])}"
    title = f"{explainer.capitalize()} between seeds: {name}"
    return curves(key(explainer, comparison), title, caption, points, (PROBABILITY, name))


def _labels(rows: Sequence[Measurement]) -> list[Figure]:
    chosen = select(rows, "stability", "probability of label")
    return [
        curves(
            key("labels", *setting),
            f"Attention by label: {setting[0]}, {setting[1]}",
            "KL between seeds by the predicted probability of the true label (Jain Figure 4.18)."
            + remark(["kl"]),
            [(r.label, r.repair, r.at or 0.0, r.value, r.low, r.high) for r in within(chosen, setting)],
            ("probability of the label", KL),
        )
        for setting in settings(chosen)
    ]


def _paths(rows: Sequence[Measurement]) -> list[Figure]:
    xs, ys = select(rows, "path_x", "epoch"), select(rows, "path_y", "epoch")
    groups = dict.fromkeys((row.data, row.model, row.repair) for row in xs)
    figures = []
    for data, model, repair in groups:
        ways: dict[str, list[tuple[float, float]]] = {}
        for x, y in zip(xs, ys, strict=True):
            if (x.data, x.model, x.repair) == (data, model, repair):
                ways.setdefault(x.member, []).append((x.value, y.value))
        figures.append(
            trajectories(
                key("paths", data, model, repair),
                f"The way of each seed: {data}, {model}, {repair}",
                "Each line is a seed, each point an epoch: its predictions on validation texts, by Isomap "
                "(Jain Figure 2.18).",
                ways,
                ("first Isomap axis", "second Isomap axis"),
            )
        )
    return figures


def _surfaces(plane: Landscape) -> list[Figure]:
    sources = dict(zip(plane.paths, ("4.9", "4.10"), strict=True))
    return [
        surface(
            key("surface", name),
            name,
            f"A surface with a saddle at the origin, the same noise for both (Jain Figure {sources[name]}; "
            "the document does not give its surface, so this one is ours).",
            plane.xs,
            plane.ys,
            plane.values,
            {name: path},
            ("x", "y"),
        )
        for name, path in plane.paths.items()
    ]


def _landscape() -> Landscape:
    ways = {"SGD with momentum": make("repairs", "none"), "SGD with ASWA": make("repairs", "aswa")}
    return landscape(ways)
