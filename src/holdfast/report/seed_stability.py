"""The report of the seed-stability study: claims first, then published beside measured, then the figures."""

from collections.abc import Sequence
from typing import Any

from holdfast.report.figures.base import Figure
from holdfast.report.figures.curves import curves, published, trajectories
from holdfast.report.figures.holds import by_layer, hold_of_all, per_word
from holdfast.report.figures.repaired import cost, gain
from holdfast.report.figures.rows import key, pick, remark, settings, within
from holdfast.report.figures.surface import surface
from holdfast.report.page import Section, Span, Table
from holdfast.report.texts import badge
from holdfast.study.surface import Landscape
from holdfast.study.table import Row

TITLE = "Do explanations survive another seed? Jain, chapter 4, run again"
PROBABILITY = "predicted probability"
KL = "KL divergence, nats"


def intro(claims: Sequence[dict[str, Any]]) -> list[str]:
    """What came out, in a sentence."""
    came = sum(claim["verdict"] == "came out" for claim in claims)
    contrary = sum(claim["verdict"] == "the contrary came out" for claim in claims)
    paid = sum(claim["verdict"] == "paid for in accuracy" for claim in claims)
    rest = len(claims) - came - contrary - paid
    return [
        f"Of {len(claims)} claims checked (one per model and repair), {came} came out, {contrary} came out "
        f"contrary, {paid} are worth nothing because accuracy fell, and {rest} cannot be decided.",
        "A cut is 1 − after / before. Intervals are 95 %, by a jackknife over seeds; a claim came out when "
        "its whole interval is above 0.",
    ]


def line(claim: dict[str, Any]) -> str:
    """One claim for a terminal."""
    cut = claim["cut"]
    ends = "" if cut["low"] is None else f" [{100 * cut['low']:.0f}, {100 * cut['high']:.0f}]"
    return f"{claim['verdict']}: {claim['claim']} ({claim['where']}): {100 * cut['value']:.0f} %{ends}"


def sections(
    rows: Sequence[Row], claims: Sequence[dict[str, Any]], beside: Sequence[dict[str, Any]], plane: Landscape
) -> list[Section]:
    """Every part of the page."""
    return [
        Section("What the document claims", tables=[_claims(claims)]),
        Section(
            "Published beside measured",
            "Accuracy and its standard deviation over seeds, in percent. The published sizes of SST and IMDB "
            "are of filtered copies; ours are the published splits."
            if beside
            else "Tables 4.2 and 4.3 have no row for these data, models and repairs.",
            figures=published(
                "tables", "Table", "Diamonds: published. Dots: measured, with their 95 % interval.", beside
            ),
        ),
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
        Section("Why averaging is careful", figures=_surfaces(plane)),
    ]


def _claims(claims: Sequence[dict[str, Any]]) -> Table:
    lines = tuple(
        (
            claim["claim"],
            badge(claim["verdict"]),
            Span(claim["cut"]["value"], claim["cut"]["low"], claim["cut"]["high"], share=True),
            Span(claim["gained"]["value"], claim["gained"]["low"], claim["gained"]["high"], share=True),
            claim["published"],
            claim["where"],
        )
        for claim in claims
    )
    return Table(("claim", "came out?", "measured cut", "accuracy gained", "published", "where"), lines)


def _facet(row: Row, many: bool) -> str:
    return f"{row.data}, {row.model}" if many else row.model


def _deviation(rows: Sequence[Row]) -> Figure:
    found = pick(rows, "deviation", "confidence")
    many = len({row.data for row in found}) > 1
    points = [(_facet(r, many), r.repair, r.at or 0.0, r.value, r.low, r.high) for r in found]
    caption = "Standard deviation over seeds of the predicted probability (Jain Figures 4.11, 4.12)."
    return curves("deviation", "Prediction deviation", caption, points, (PROBABILITY, "deviation"))


def _stability(rows: Sequence[Row], explainer: str, comparison: str, source: str) -> Figure:
    found = pick(rows, "stability", "probability", explainer=explainer, comparison=comparison)
    many = len({row.data for row in found}) > 1
    points = [(_facet(r, many), r.repair, r.at or 0.0, r.value, r.low, r.high) for r in found]
    name = {"kl": KL, "jaccard": "Jaccard distance of the top 20 %"}[comparison]
    caption = f"Mean over all pairs of seeds, by predicted probability (Jain {source}).{remark([comparison])}"
    title = f"{explainer.capitalize()} between seeds: {name}"
    return curves(key(explainer, comparison), title, caption, points, (PROBABILITY, name))


def _labels(rows: Sequence[Row]) -> list[Figure]:
    found = pick(rows, "stability", "probability of label")
    return [
        curves(
            key("labels", *setting),
            f"Attention by label: {setting[0]}, {setting[1]}",
            "KL between seeds by the predicted probability of the true label (Jain Figure 4.18)."
            + remark(["kl"]),
            [(r.other, r.repair, r.at or 0.0, r.value, r.low, r.high) for r in within(found, setting)],
            ("probability of the label", KL),
        )
        for setting in settings(found)
    ]


def _paths(rows: Sequence[Row]) -> list[Figure]:
    xs, ys = pick(rows, "path_x", "path"), pick(rows, "path_y", "path")
    groups = dict.fromkeys((row.data, row.model, row.repair) for row in xs)
    figures = []
    for data, model, repair in groups:
        ways: dict[str, list[tuple[float, float]]] = {}
        for x, y in zip(xs, ys, strict=True):
            if (x.data, x.model, x.repair) == (data, model, repair):
                ways.setdefault(x.bin, []).append((x.value, y.value))
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
