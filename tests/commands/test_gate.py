import pytest

from holdfast.commands.gate import gate
from holdfast.measure.question import Question
from tests.study.answers import answer, row


@pytest.mark.parametrize(
    ("hold", "under", "shut"), [(0.8, 0.5, False), (0.8, 0.7, False), (0.8, 0.71, True), (0.8, 0.0, False)]
)
def test_the_lower_end_of_the_hold_counts(hold, under, shut):
    made = row(hold=hold, low=0.7, high=0.9)
    assert gate(answer(made), under) == shut


@pytest.mark.parametrize(
    "verdict", ["not learned", "says nothing", "shaky", "does not hold", "does not matter"]
)
def test_any_question_that_fails_shuts_it(verdict):
    assert gate(answer(row(verdict=verdict, low=0.9)), 0.0)


def test_a_question_that_fails_after_an_undecided_one_shuts_it_too():
    questions = (Question("learned", "undecided"), Question("matters", "failed", words=("does not matter",)))
    assert gate(answer(row(verdict="undecided", questions=questions)), 0.0)


def test_an_undecided_question_alone_does_not():
    assert not gate(answer(row(verdict="undecided", low=0.65)), 0.6)


def test_a_warning_never_does():
    made = row(low=0.7)
    warned = (*made.questions[:4], Question("calibrated", "warning", 0.2, 0.1, 0.3))
    assert not gate(answer(row(low=0.7, questions=warned)), 0.6)


def test_nothing_measured_counts_as_below():
    assert gate(answer(row(verdict="undecided", hold=None)), 0.0)
    assert gate(answer(row(low=None, high=None)), 0.0), "two seeds have no interval"
    assert gate(answer(decides=None, rows=()), 0.0)


def test_it_asks_about_the_explainer_that_is_named_else_about_the_headlines():
    made = answer(row("lrp"), row("attention", "shaky", 0.5))
    assert not gate(made, 0.5)
    assert not gate(made, 0.5, "lrp")
    assert gate(made, 0.5, "attention")
    assert gate(made, 0.5, "gradient"), "nothing is known of it"
