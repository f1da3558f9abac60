from dataclasses import replace

from holdfast.measure.question import Question
from holdfast.report.confidence import MEANT, NAMED, confidence, errors
from tests.report.synthetic import make_answer, make_findings

ROWS, ANSWER = make_findings().rows, make_answer()


def asked(answer: str):
    question = Question(
        "calibrated", answer, 0.09, 0.06, 0.12, 0.05, because="at 0.9 they are over-confident"
    )
    row = replace(ANSWER.rows[0], questions=(*ANSWER.rows[0].questions, question))
    return replace(ANSWER, rows=(row, *ANSWER.rows[1:]))


def test_the_section_says_where_the_confidence_is_not_right_and_what_it_is():
    section = confidence(ROWS, asked("warning"), "Confidence is a number.")
    assert section.text == (
        "Not everywhere (cnn with aswa): at 0.9 they are over-confident. Confidence is a number. Confidence "
        "and accuracy lie 0.041 apart on average (ECE; a perfectly calibrated model would show 0.020 on so "
        "many examples); with its sign that is −0.010: on the whole the models are less sure than right."
    )
    assert [figure.title for figure in section.figures] == ["How right, how stable, by confidence"]
    assert len(section.hidden) == 3


def test_passed_and_undecided_are_said_so():
    for answer, word in (("passed", "As far as can be seen ("), ("undecided", "Undecided (")):
        assert confidence(ROWS, asked(answer), "").text.startswith(word)
    assert confidence(ROWS, ANSWER, "Meant.").text.startswith("Meant. Confidence and accuracy lie ")


def test_of_one_family_no_name_is_said():
    made = asked("warning")
    text = confidence(ROWS, replace(made, rows=made.rows[:1]), "").text
    assert text.startswith(
        "Not everywhere: at 0.9 they are over-confident. Confidence and accuracy lie 0.041 "
    )


def test_both_intervals_stand_apart_and_every_number_is_explained():
    table = errors(ROWS)
    assert table.columns == ("repair", "interval", *NAMED.values())
    assert [row[:2] for row in table.rows] == [
        ("none", "over seeds"), ("none", "over examples"), ("aswa", "over seeds"), ("aswa", "over examples"),
    ]  # fmt: skip
    assert all(text in table.caption for text in MEANT.values())
    assert "what another seed would give" in table.caption
    assert "what other test examples would give" in table.caption


def test_without_rows_there_is_no_section():
    assert confidence([], ANSWER, "").empty
