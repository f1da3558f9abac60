from dataclasses import replace

from holdfast.report.sections import glossary, ordered, sections
from tests.report.synthetic import make_findings, no_answer

FINDINGS = make_findings()


def test_sections_stand_in_the_order_of_the_questions():
    assert [section.title for section in sections(FINDINGS)] == [
        "Where it holds, and where not",
        "Is the confidence right where it is used?",
        "How good are the models?",
        "What a repair changes",
        "Do the explainers agree?",
    ]


def test_without_rows_nothing_is_left_but_the_frame():
    assert sections(replace(FINDINGS, answer=no_answer(), rows=())) == []


def test_families_and_explainers_stand_in_the_order_of_the_verdicts():
    rows = ordered(FINDINGS)
    assert sorted(map(repr, rows)) == sorted(map(repr, FINDINGS.rows))
    wanted = list(dict.fromkeys(row.explainer for row in FINDINGS.answer.rows))
    drawn = sections(FINDINGS)[0].figures[0]
    assert drawn.unique("series") == [name.replace("_", " ") for name in wanted]
    assert drawn.unique("facet") == ["aswa", "no repair"]
    assert drawn.banded == "integrated gradients"


def test_the_glossary_has_every_method():
    named = {row[0] for row in glossary(FINDINGS.rows).rows}
    assert {"Attention", "Integrated gradients", "KL", "Aswa"} <= named
