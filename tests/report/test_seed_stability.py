from dataclasses import asdict

import pytest

from holdfast.core.catalogue import make
from holdfast.report.html import render_page
from holdfast.report.seed_stability import TITLE, intro, sections
from holdfast.study.rows import cell_rows
from holdfast.study.seed_stability import own_claims, word_rows
from holdfast.study.surface import landscape
from holdfast.study.table import Row
from tests.study.tiny import cell

CELLS = [cell(members=5), cell(members=5, noise=0.05, repair="aswa", seed=4)]
ROWS = [row for one in CELLS for row in cell_rows(one, ("kl", "jensen_shannon", "jaccard"))[0]]
PATHS = [
    Row("planted", "cnn", "none", axis, value, by="path", bin=seed, at=at)
    for seed in ("0", "1")
    for at, value in ((1.0, 0.5), (2.0, 0.7))
    for axis in ("path_x", "path_y")
]
LABELS = [
    Row(
        "snli",
        "cnn",
        "none",
        "stability",
        0.2,
        0.1,
        0.3,
        9,
        "attention",
        "kl",
        name,
        "probability of label",
        "0.5",
        0.55,
    )
    for name in ("entailment", "neutral")
]
CLAIMS = [asdict(claim) | {"verdict": claim.verdict} for claim in own_claims(CELLS)]
BESIDE = [
    {"table": "4.2", "row": "SST cnn none", "column": "accuracy", "published": 82.0, "measured": 83.9,
     "low": 83.4, "high": 84.3, "n": 10.0}
]  # fmt: skip


def made() -> list[object]:
    plane = landscape({"plain": make("repairs", "none"), "mended": make("repairs", "aswa")}, 2, 3, 8)
    rows = [*ROWS, *word_rows(CELLS), *PATHS, *LABELS]
    return list(sections(rows, CLAIMS, BESIDE, plane))


def figures() -> dict[str, object]:
    return {figure.key: figure for section in made() for figure in section.figures}  # type: ignore[attr-defined]


def test_the_intro_counts_what_came_out() -> None:
    words = [claim["verdict"] for claim in CLAIMS]
    came, contrary = words.count("came out"), words.count("the contrary came out")
    paid, rest = words.count("paid for in accuracy"), words.count("not decided")
    assert came >= 3
    assert intro(CLAIMS)[0] == (
        f"Of {len(words)} claims checked (one per model and repair), {came} came out, {contrary} came out "
        f"contrary, {paid} are worth nothing because accuracy fell, and {rest} cannot be decided."
    )


def test_every_figure_that_the_study_must_give_is_there() -> None:
    keys = " ".join(figures())
    for wanted in (
        "deviation",
        "attention-kl",
        "attention-jaccard",
        "gradient-kl",
        "paths",
        "labels",
        "surface",
    ):
        assert wanted in keys, wanted
    titles = [section.title for section in made()]  # type: ignore[attr-defined]
    assert titles[0] == "What the document claims"
    assert {"Single sentences", "Layer by layer", "Where the seeds go"} <= set(titles)


@pytest.mark.parametrize("key", ["deviation", "attention-kl"])
def test_a_curve_has_the_numbers_of_the_table(key: str) -> None:
    quantity, by = ("deviation", "confidence") if key == "deviation" else ("stability", "probability")
    wanted = {
        (row.repair, round(row.value, 6))
        for row in ROWS
        if row.quantity == quantity and row.by == by
        and (key == "deviation" or (row.explainer, row.comparison) == ("attention", "kl"))
    }  # fmt: skip
    figure = figures()[key]
    text = repr(figure)
    assert wanted
    assert len(figure) == len(wanted)  # type: ignore[arg-type]
    for repair, _ in wanted:
        assert repair in text


def test_the_page_is_drawn_and_the_same_every_time() -> None:
    page = render_page(TITLE, intro(CLAIMS), made(), ("a note",), "holdfast reproduce seed-stability")
    assert page == render_page(TITLE, intro(CLAIMS), made(), ("a note",), "holdfast reproduce seed-stability")
    assert "aswa against none" in page
    assert "<script" not in page
