from dataclasses import replace

import pytest

from holdfast.core.catalogue import make
from holdfast.measure.reduce import Interval
from holdfast.report.html import render_page
from holdfast.studies.seed_stability import SeedStability
from holdfast.studies.seed_stability.claims import own_claims
from holdfast.studies.seed_stability.measures import seed_rows, word_rows
from holdfast.studies.seed_stability.page import page, sections
from holdfast.studies.seed_stability.surface import landscape
from holdfast.study.evidence import evidence_of
from holdfast.study.measure import measure_family
from holdfast.study.measurement import Measurement
from holdfast.study.published_number import Published
from holdfast.testing.study import without_rows
from tests.study.tiny import family

TITLE = SeedStability.title

FAMILIES = [family(members=5), family(members=5, noise=0.05, repair="aswa", seed=4)]
COMPARED = ("kl", "jensen_shannon", "jaccard")
ROWS = [
    row for one in FAMILIES for row in (*measure_family(one, evidence_of(one), COMPARED), *seed_rows(one))
]
PATHS = [
    Measurement("planted", "cnn", "none", axis, value, by="epoch", member=seed, at=at)
    for seed in ("0", "1")
    for at, value in ((1.0, 0.5), (2.0, 0.7))
    for axis in ("path_x", "path_y")
]
LABELS = [
    Measurement(
        "snli",
        "cnn",
        "none",
        "stability",
        0.2,
        0.1,
        0.3,
        9,
        explainer="attention",
        comparison="kl",
        by="probability of label",
        label=name,
        bin="0.5",
        at=0.55,
    )
    for name in ("entailment", "neutral")
]
CLAIMS = own_claims(ROWS)
BESIDE = [Published("4.2", "SST cnn none", "accuracy", 82.0, 83.9, 83.4, 84.3, 10)]
FINDINGS = replace(without_rows(SeedStability()), rows=tuple(ROWS))


def made(beside: list[Published] = BESIDE) -> list[object]:
    plane = landscape({"plain": make("repairs", "none"), "mended": make("repairs", "aswa")}, 2, 3, 8)
    rows = [*ROWS, *word_rows(FAMILIES), *PATHS, *LABELS]
    return list(sections(rows, CLAIMS, beside, plane))


def figures() -> dict[str, object]:
    return {figure.key: figure for section in made() for figure in section.figures}  # type: ignore[attr-defined]


def test_the_intro_counts_what_came_out_and_says_how_it_is_judged() -> None:
    words = [claim.answer for claim in CLAIMS if not claim.detail]
    assert words.count("came out") >= 3
    first, rule = page(FINDINGS, CLAIMS, BESIDE).intro
    assert first.startswith(f"Of {len(words)} claims checked, {words.count('came out')} came out")
    for said in ("two jackknives", "Holm", "at least 10 %", "less than 1 point"):
        assert said in rule


def test_a_claim_is_told_with_its_numbers() -> None:
    claim = replace(CLAIMS[0], before=0.2064, after=0.0412, effect=Interval(0.8, 0.75, 0.855, 5))
    assert SeedStability().line(claim) == (
        "came out: ASWA lowers the KL of attention between seeds (planted): 80.0 % [75.0, 85.5], "
        "0.206 → 0.0412"
    )


def test_what_was_run_stands_beside_the_published_and_the_rest_is_listed() -> None:
    missing = replace(BESIDE[0], row="IMDB cnn none", measured=None)
    titles = {section.title: section for section in made([*BESIDE, missing])}  # type: ignore[attr-defined]
    beside = titles["Published beside measured"]
    assert [len(figure) for figure in beside.figures] == [1]  # type: ignore[attr-defined]
    assert beside.folded[0].rows == (("4.2", "IMDB cnn none"),)  # type: ignore[attr-defined]


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
    drawn = render_page(TITLE, [], made(), ("a note",), "holdfast reproduce seed-stability")
    assert drawn == render_page(TITLE, [], made(), ("a note",), "holdfast reproduce seed-stability")
    assert "ASWA lowers the KL of attention between seeds" in drawn
    assert "<script" not in drawn
