from dataclasses import replace

import pytest

from holdfast.data.modality import modalities
from holdfast.report.modality import modality
from holdfast.report.sections import sections
from tests.report.synthetic import make_findings

FINDINGS = make_findings()


def test_every_kind_of_data_has_its_words():
    units = [modality(kind).unit for kind in modalities()]
    assert all(all(unit._replace(metric="named")) for unit in units)


@pytest.mark.parametrize(
    ("kind", "axis"), [("text", "tokens"), ("interaction", "items"), ("image", "strips")]
)
def test_length_is_counted_in_what_the_data_consist_of(kind, axis):
    found = replace(FINDINGS, kind=kind)
    (where,) = [section for section in sections(found) if section.title.startswith("Where it holds")]
    drawn = {figure.key: figure for figure in (*where.figures, *where.hidden)}
    assert drawn["hold-length"].x == f"length in {axis}"
    assert drawn["hold-confidence"].x == "predicted probability"


def test_the_truth_of_histories_is_told_in_items():
    found = replace(FINDINGS, kind="interaction")
    said = " ".join(f"{f.caption} {f.x}" for section in sections(found) for f in section.figures)
    assert "an item that decides" in said
    assert "token" not in said
    assert "rationale" not in said
