import xml.etree.ElementTree as ET

import pytest

from holdfast.measure.question import TITLES, Question
from holdfast.report.junit import junit
from tests.report.hostile import HOSTILE
from tests.study.answers import answer, row

LRP, ROLLOUT = row("lrp"), row("rollout", "shaky", 0.5, repair="aswa")


def suite(made):
    whole = ET.fromstring(junit(made))
    assert whole.tag == "testsuites"
    (only,) = whole
    assert whole.attrib | {"name": ""} == only.attrib | {"name": ""}
    return only


def test_a_case_for_each_explainer_and_question():
    made = suite(answer(LRP, ROLLOUT))
    cases = made.findall("testcase")
    assert [(case.get("classname"), case.get("name")) for case in cases] == [
        (f"planted.cnn.{one.repair}.{one.explainer}", title)
        for one in (LRP, ROLLOUT)
        for name, title in TITLES.items()
        if name != "survives_change"  # nobody asked
    ]


def test_failed_is_a_failure_and_undecided_not_asked_and_a_warning_are_skipped():
    questions = (
        Question("learned", "passed", because="a"),
        Question("says", "undecided", because="b"),
        Question("survives", "failed", words=("shaky",), because="c"),
        Question("matters", "not asked", because="d"),
        Question("calibrated", "warning", because="e"),
    )
    made = suite(answer(row(questions=questions)))
    passed, undecided, failed, unasked, warned = made.findall("testcase")
    assert list(passed) == []
    assert undecided.find("skipped").get("message") == "undecided: b"
    assert failed.find("failure").attrib == {"message": "c", "type": "shaky"}
    assert unasked.find("skipped").get("message") == "not asked: d"
    assert warned.find("skipped").get("message") == "warning: e"
    assert {name: made.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5", "failures": "1", "errors": "0", "skipped": "3",
    }  # fmt: skip


def test_the_answer_is_among_the_properties():
    made = suite(answer(LRP, do="Nothing & no more."))
    told = {one.get("name"): one.get("value") for one in made.iter("property")}
    assert told == {"verdict": "holds", "headline": "Show lrp.", "do": "Nothing & no more."}


@pytest.mark.parametrize("text", [HOSTILE, "\x00\x1b[31m\x0b]]>\ufffe\ud800\n\"'<&>", "né ✓"])
def test_whatever_a_name_holds_it_is_text(text):
    bad = (
        Question("says", "failed", words=("shaky",), because=text),
        Question("matters", "undecided", because=text),
    )
    made = suite(answer(row(text, data=text, model=text, questions=bad), headline=text))
    assert [one.tag for one in made] == ["properties", "testcase", "testcase"]
    case = made.find("testcase")
    assert case.get("classname").isprintable()
    assert case.find("failure").get("message").isprintable()


def test_nothing_was_judged():
    made = suite(answer(decides=None, rows=()))
    assert (made.get("tests"), made.findall("testcase")) == ("0", [])
