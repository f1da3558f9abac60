"""Every explainer against every question."""

from dataclasses import replace

from holdfast.measure.question import Question
from holdfast.report.matrix import matrix, readings
from holdfast.report.modality import modality
from tests.report.synthetic import make_answer, make_row, no_answer

WORDS = modality("text").unit
ANSWER = make_answer()


def test_families_are_grouped_and_the_deciding_row_is_first_and_marked():
    made = matrix(ANSWER, WORDS)
    assert [(group.name, len(group.lines)) for group in made.groups] == [("cnn with aswa", 5), ("cnn", 5)]
    assert [line.decides for group in made.groups for line in group.lines] == [True] + [False] * 9
    order = [row.explainer for row in ANSWER.rows if row.repair == "none"]
    assert [line.explainer for line in made.groups[1].lines] == [name.replace("_", " ") for name in order]
    alone = matrix(replace(ANSWER, rows=ANSWER.rows[:1]), WORDS)
    assert [group.name for group in alone.groups] == [""]


def test_every_question_has_a_mark_a_word_a_value_and_its_interval():
    line = matrix(ANSWER, WORDS).groups[0].lines[0]
    assert [(q.mark, q.answer) for q in line.questions] == [
        ("✓", "passed"), ("✓", "passed"), ("✓", "passed"), ("–", "not asked"), ("–", "not asked"),
    ]  # fmt: skip
    learned, _, survives, matters, _ = line.questions
    assert (learned.span.text, learned.span.interval) == ("87.1 %", "[85.0, 89.0]")
    assert (survives.span.text, survives.span.interval) == ("0.80", "[0.74, 0.86]")
    assert matters.span.value is None
    assert (line.nearest, line.top, line.even, line.strongest) == ("another input", "36 %", "13 %", "80 %")


def test_failed_and_undecided_have_marks_of_their_own_and_more_than_all_of_the_gain_is_said():
    row = make_row("d", "cnn", "none", "attention")
    asked = (
        Question("survives", "undecided", 0.3, -0.4, 0.9),
        Question("matters", "failed", 1.239, 1.1, 1.4),
        Question("calibrated", "warning", -0.09, -0.12, -0.0601),
    )
    [group] = matrix(replace(ANSWER, rows=(replace(row, questions=asked),)), WORDS).groups
    learned, _, survives, matters, calibrated = group.lines[0].questions
    assert [one.mark for one in (learned, survives, matters, calibrated)] == ["–", "?", "✗", "!"]
    assert (calibrated.span.text, calibrated.span.interval, calibrated.tone) == (
        "−0.09",
        "[−0.12, −0.06]",
        "fair",
    )
    assert survives.span.interval == "[0.00, 0.90]"
    assert (matters.span.text, matters.tone) == ("1.23", "poor")


def test_every_column_is_explained_in_the_words_of_the_data():
    made = matrix(ANSWER, modality("interaction").unit)
    explained = dict(made.readings)
    assert list(explained) == [*made.columns, made.top, made.strongest]
    assert (made.top, made.strongest) == ("top tenth of the items", "same strongest item")
    assert "another input (what another seed says of another history)" in explained["survives another seed"]
    assert "always predicting the most common class" in explained["learned"]
    assert not [text for text in explained.values() if "word" in text]
    assert readings({}, WORDS)[0][1].startswith("Are the models right more often than chance?")


def test_an_answer_about_nothing_has_no_rows():
    assert matrix(no_answer(), WORDS).groups == ()
