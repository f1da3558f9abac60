"""What a notebook shows: the same answer, a style of its own, nothing live."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from holdfast.report.modality import modality
from holdfast.report.notebook import MOST_BYTES, SHOWN, render_cell
from tests.report.hostile import HOSTILE, hostile
from tests.report.synthetic import imaged, make_findings

FINDINGS = make_findings()
EXAMPLES = SHOWN[0][0]


def test_it_has_the_verdict_every_question_and_a_few_examples():
    cell = render_cell(FINDINGS)
    assert FINDINGS.answer.headline.partition(" (")[0] in cell
    assert '<div class="scale"' in cell
    assert '<table class="matrix">' in cell
    assert cell.count("<article>") == EXAMPLES
    assert len(cell) < 100_000


def test_examples_are_the_best_held_the_least_and_one_between():
    one = FINDINGS.examples[0]
    many = replace(FINDINGS, examples=tuple(replace(one, target=f"class {k}") for k in range(5)))
    assert re.findall(r"class \d", render_cell(many)) == ["class 0", "class 2", "class 4"]
    assert render_cell(replace(FINDINGS, examples=())).count("<article>") == 0


@pytest.mark.parametrize("kind", ["text", "scores", "interaction"])
def test_every_kind_of_data_has_one(kind):
    assert modality(kind).unit.examples in render_cell(replace(FINDINGS, kind=kind))


def test_images_have_one_of_a_few_images():
    cell = render_cell(imaged())
    assert "data:image/png" in cell
    one = imaged()
    many = replace(one, pictures=tuple(replace(p, row=k) for k in range(5) for p in one.pictures))
    assert render_cell(many).count("<article>") == 2 * EXAMPLES, "of either repair"


def test_nothing_from_the_data_is_live():
    cell = render_cell(hostile())
    assert HOSTILE not in cell
    assert "<script" not in cell
    tags = re.findall(r'<\w+(?:\s+[\w-]+(?:="[^"]*")?)*', cell)
    assert len(tags) > 100
    assert not any(re.search(r"\son\w+=", re.sub(r'"[^"]*"', "", tag)) for tag in tags)


def test_it_says_where_the_whole_report_lies():
    assert "<code>runs/one/report.html</code>" in render_cell(FINDINGS, Path("runs/one/report.html"))
    assert "The whole report" not in render_cell(FINDINGS)


def test_it_stays_small_whatever_the_examples_are():
    (one,) = FINDINGS.examples[:1]
    heat = one.heats[0]
    words = tuple(f"extraordinarily{n}" for n in range(64))
    scores = tuple(tuple(0.01 * (n % 7) for n in range(64)) for _ in one.seeds)
    long = replace(heat, scores=scores, consensus=scores[0], strongest=6)
    many = replace(one, tokens=words, rationale=(), unknown=(), heats=(long,) * 12)
    assert len(render_cell(replace(FINDINGS, examples=(many,) * 5)).encode()) <= MOST_BYTES
