"""What was not asked, and what to give."""

from holdfast.measure.question import Question, not_asked
from holdfast.study.unasked import lacking, lacks, unasked

QUESTIONS = (
    lacking("learned", "labels"),
    Question("says", "passed"),
    not_asked("survives", "no example has two positions or more"),
    lacking("matters", "predict"),
    lacking("calibrated", "labels"),
)


def test_every_reason_stands_once() -> None:
    assert lacks(QUESTIONS) == ("labels", "predict")
    assert unasked(QUESTIONS) == (
        "Not asked: whether the models learned and whether the confidence is right where it is used (give "
        "labels); whether it survives another seed (no example has two positions or "
        "more); whether it matters "
        "to the model (give predict)."
    )


def test_where_everything_was_asked_there_is_nothing_to_say() -> None:
    assert (lacks(QUESTIONS[1:2]), unasked(QUESTIONS[1:2])) == ((), "")
