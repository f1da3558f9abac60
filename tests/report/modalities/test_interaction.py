"""Histories are shown item by item."""

from dataclasses import replace

from holdfast.report.html import render
from holdfast.report.modalities.interaction import PAIRED, RANKED, Interaction
from tests.report.synthetic import make_findings


def test_an_item_that_did_not_come_is_beside_the_one_that_did():
    found = make_findings()
    wrong = tuple(replace(one, label="The Matrix") for one in found.examples)
    page = render(replace(found, examples=wrong, kind="interaction"))
    assert "(truly next: The Matrix)" in page
    assert "labelled" not in page
    assert "The same histories, every seed" in page


def test_confidence_is_said_as_the_models_have_it():
    rows = [row for row in make_findings().rows if row.quantity.startswith("reliability")]
    taken = {"negative": "not taken", "positive": "taken"}
    pairs = [replace(row, label=taken.get(row.label, "")) for row in rows]
    ranking = [replace(row, model="sasrec") for row in rows if not row.label]
    assert Interaction().confidence(ranking) == RANKED
    assert Interaction().confidence(pairs) == PAIRED
    assert Interaction().confidence(ranking + pairs) == f"{RANKED} {PAIRED}"
