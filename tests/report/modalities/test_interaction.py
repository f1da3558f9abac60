"""Histories are shown item by item."""

from dataclasses import replace

from holdfast.report.html import render
from tests.report.synthetic import make_findings


def test_an_item_that_did_not_come_is_beside_the_one_that_did():
    found = make_findings()
    wrong = tuple(replace(one, label="The Matrix") for one in found.examples)
    page = render(replace(found, examples=wrong, kind="interaction"))
    assert "(truly next: The Matrix)" in page
    assert "labelled" not in page
    assert "The same histories, every seed" in page
