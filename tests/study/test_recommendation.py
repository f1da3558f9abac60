"""What is said of a recommendation."""

import pytest

from holdfast.study.neighbours import Neighbour, Taken
from holdfast.study.recommendation import Recommendation, has_reasons


@pytest.mark.parametrize(
    ("word", "there"), [("holds", True), ("undecided", True), ("does not hold", False), ("", False)]
)
def test_reasons_are_there_where_they_hold(word, there):
    assert has_reasons(word) == there


def test_plain_values():
    taken = Taken(10, 4.0, 3.0, 5.0, 1.0, True)
    one = Recommendation("a", 2, (), (), 1.2, -0.1, None, "", near=(Neighbour("b", 3),), taken=taken)
    told = one.to_json()
    assert (told["hold"], told["low"], told["high"]) == (1.0, 0.0, None)
    assert told["near"] == ({"name": "b", "agree": 3},)
    assert told["taken"]["expected"] == 1.0
