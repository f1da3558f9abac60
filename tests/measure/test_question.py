import math

import pytest

from holdfast.measure.question import Question, above, ends, not_asked, places, worst
from holdfast.measure.reduce import Interval


@pytest.mark.parametrize(
    ("low", "high", "answer"),
    [
        (0.21, 0.5, "passed"),
        (0.2, 0.5, "undecided"),  # the limit itself is not above it
        (0.1, 0.2, "failed"),
        (0.1, 0.21, "undecided"),
        (None, None, "undecided"),
    ],
)
def test_the_whole_interval_lies_above(low, high, answer):
    question = above("matters", Interval(0.3, low, high, 5), 0.2, "does not matter", "so it is")
    assert (question.answer, question.limit) == (answer, 0.2)
    assert question.words == (() if answer == "passed" else ("does not matter",))


def test_the_worst_is_failed_then_undecided_then_the_first():
    one = {name: Question("says", name, because=name) for name in ("passed", "undecided", "failed")}
    asked = [not_asked("says", "not asked"), one["passed"], one["undecided"], one["failed"]]
    assert [worst(asked[: k + 1]).answer for k in range(4)] == ["not asked", "passed", "undecided", "failed"]
    assert worst([one["passed"], Question("says", "passed")]) is one["passed"]


@pytest.mark.parametrize("value", [0.69999, 0.7, 0.29, 1.0, -0.3, 0.0])
def test_what_lies_below_a_limit_never_reads_as_the_limit(value):
    assert float(places(value)) == pytest.approx(math.floor(100 * value + 1e-6) / 100, abs=1e-12)
    assert "-0.00" not in places(value)


def test_no_ends_no_brackets():
    assert (ends(None, 1.0), ends(0.1, 0.2)) == ("", " [0.10, 0.20]")
