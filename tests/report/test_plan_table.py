"""A plan is told in the options that its data read."""

from dataclasses import replace

import pytest

from holdfast.report.plan_table import plan_table
from tests.report.synthetic import make_findings

PLAN = {
    "data": [{"data": "d", "text": None, "max_length": 256, "limit": None, "steps": 4, "user": None}],
    "text": 1,
}


@pytest.mark.parametrize(
    ("kind", "own"),
    [
        ("text", ["text", "max_length", "limit"]),
        ("image", ["limit", "steps"]),
        ("interaction", ["limit", "user"]),
    ],
)
def test_only_the_options_of_the_modality_are_told(kind, own):
    found = replace(make_findings(), plan=PLAN, kind=kind)
    told = [name for name, _ in plan_table(found).rows]
    assert told == ["data.0.data", *(f"data.0.{name}" for name in own), "text"]
