import pytest

from holdfast.measure.question import TITLES
from holdfast.report.marks import COLUMNS, MARKS, quality_line, split_command
from tests.study.answers import answer


def test_every_question_has_a_column_and_every_answer_a_mark():
    assert list(COLUMNS) == list(TITLES)
    assert set(MARKS) == {"passed", "failed", "undecided", "not asked", "warning"}


@pytest.mark.parametrize(
    ("do", "parts"),
    [
        ("Nothing more to do.", ("Nothing more to do.", "")),
        ("More. Try: holdfast audit x.csv", ("More. Try:", "holdfast audit x.csv")),
        ("", ("", "")),
    ],
)
def test_a_command_stands_apart(do, parts):
    assert split_command(do) == parts


def test_the_quality_is_a_sentence():
    assert quality_line(answer()) == (
        "Accuracy 84.0 % ± 1.0 over 10 seeds (50.0 % by always predicting the most common class)."
    )
