from typing import get_args

from holdfast.measure.question import TITLES, Answer
from holdfast.report.marks import COLUMNS, LEGEND, MARKS, quality_line, split_command
from tests.report.synthetic import make_answer


def test_every_answer_has_a_mark_and_every_question_a_column():
    assert set(MARKS) == set(get_args(Answer))
    assert ", ".join(f"{mark} {answer}" for answer, mark in MARKS.items()) == LEGEND
    assert list(COLUMNS) == list(TITLES)


def test_advice_without_a_command():
    assert split_command("Nothing more to do.") == ("Nothing more to do.", "")


def test_quality_is_told_beside_chance():
    assert quality_line(make_answer()) == (
        "Accuracy 87.1 % ± 1.1 over 9 seeds (50.0 % by always predicting the most common class)."
    )
