import itertools
import math

import pytest

from holdfast.core.records import Member
from holdfast.measure.hold import Against, Hold
from holdfast.measure.odd_members import Groups
from holdfast.measure.survives import alone, survives, word_of

ENDS = (-0.2, 0.1, 0.39, 0.4, 0.55, 0.69, 0.7, 0.85, 0.99)


def held(low, high, n=10, impostors=2, value=None, error=0.05):
    value = (low + high) / 2 if value is None else value
    ratio = math.log(max(1 - value, 1e-9))
    names = ("shuffled", "another input", "untrained order")[:impostors]
    return Hold(
        value, low, high, names[0], n, tuple(Against(name, value, low, high, ratio, error) for name in names)
    )


@pytest.mark.parametrize(("low", "high"), list(itertools.combinations(ENDS, 2)))
def test_words_are_those_that_the_interval_reaches_into(low, high):
    asked = survives(held(low, high), None, 200)
    reached = [
        word
        for word, least, most in (
            ("does not hold", -math.inf, 0.4),
            ("shaky", 0.4, 0.7),
            ("holds", 0.7, math.inf),
        )
        if low < most and high >= least
    ]
    if reached == ["holds"]:
        assert (asked.answer, asked.words) == ("passed", ())
    else:
        assert asked.words == tuple(reached)
        assert asked.answer == ("failed" if len(reached) == 1 else "undecided")
    assert word_of(low, high) == (reached[0] if len(reached) == 1 else None)
    assert (asked.value, asked.low, asked.high) == ((low + high) / 2, low, high)


@pytest.mark.parametrize(
    ("low", "high", "limit"),
    [(0.1, 0.2, 0.4), (0.3, 0.5, 0.4), (0.5, 0.6, 0.7), (0.3, 0.8, 0.7), (0.8, 0.9, 0.7)],
)
def test_the_limit_is_the_one_it_is_held_against(low, high, limit):
    assert survives(held(low, high), None, 200).limit == limit


@pytest.mark.parametrize("value", [-0.5, 0.0, 0.2, 0.55, 0.95, 1.0])
@pytest.mark.parametrize("end", [None, 0.0])
def test_two_members_are_always_undecided(value, end):
    ends = (end, end) if value == 0 else (None, None)
    two = Hold(value, *ends, "shuffled", 2, held(0.1, 0.2).against)
    asked = survives(two, None, 200)
    assert (asked.answer, asked.low, asked.high, asked.settle) == ("undecided", None, None, 10)
    assert asked.words == ("does not hold", "shaky", "holds")
    assert asked.because.endswith("over 2 seeds, against shuffled: two seeds give no margin of error")


GOOD = {"hold": held(0.8, 0.9), "groups": None, "instances": 100}


@pytest.mark.parametrize(
    ("changed", "because", "settle"),
    [
        ({"hold": held(0.8, 0.9, n=9)}, "9 seeds are too few to say that it holds (10 are needed)", 10),
        ({"instances": 99}, "99 examples are too few to say that it holds (100 are needed)", None),
        (
            {"hold": held(0.8, 0.9, impostors=1)},
            "only one impostor could be made, which is too weak an opponent",
            None,
        ),
        (
            {"groups": Groups((Member(3), Member(7)), 0.31)},
            "seed 3 and seed 7 explain otherwise than the rest (groups 0.31 apart)",
            None,
        ),
    ],
)
def test_what_is_needed_to_hold(changed, because, settle):
    assert survives(**GOOD).answer == "passed"
    asked = survives(**(GOOD | changed))
    assert (asked.answer, asked.words, asked.settle) == ("undecided", ("shaky", "holds"), settle)
    assert asked.because.endswith(f"; {because}")


def test_what_is_needed_to_hold_is_not_needed_to_fail():
    lacking = {"groups": Groups((Member(0),), 0.5), "instances": 12}
    assert survives(held(0.1, 0.3, n=3, impostors=1), **lacking).words == ("does not hold",)
    assert survives(held(0.45, 0.6, n=3, impostors=1), **lacking).answer == "failed"


def test_groups_that_are_not_apart_do_no_harm():
    assert survives(held(0.8, 0.9), Groups((Member(0),), 0.19), 100).answer == "passed"


@pytest.mark.parametrize(("n", "answer"), [(3, "undecided"), (10, "passed")])
def test_members_that_say_the_very_same(n, answer):
    same = Hold(1.0, None, None, "shuffled", n, held(0.8, 0.9).against)
    asked = survives(same, None, 200)
    assert (asked.answer, asked.value, asked.low, asked.high) == (answer, 1.0, 1.0, 1.0)


def test_what_does_not_depend_on_what_was_learned():
    nothing = Hold(0.0, 0.0, 0.0, "untrained order", 10, held(0.0, 0.0).against)
    asked = survives(nothing, None, 200)
    assert (asked.answer, asked.words) == ("failed", ("does not hold",))
    assert asked.because == (
        "hold 0.00 [0.00, 0.00] over 10 seeds, against untrained order: "
        "it does not depend on what was learned"
    )


def test_what_holds_says_what_may_be_unseen():
    assert survives(held(0.8, 0.9), None, 100).because == (
        "hold 0.85 [0.80, 0.90] over 10 seeds, against shuffled; "
        "odd seeds up to 26 % would not have been seen"
    )
    assert "odd members up to 14 %" in survives(held(0.8, 0.9, n=20), None, 100, "member").because


def test_no_hold_cannot_be_asked():
    asked = survives(None, None, 0)
    assert (asked.answer, asked.because) == ("not asked", "no example has two positions or more")


def test_as_many_settle_it_as_both_limits_need():
    wide = held(0.3, 0.8, n=5, value=0.6, error=0.15)
    asked = survives(wide, None, 200)
    assert asked.words == ("does not hold", "shaky", "holds")
    from holdfast.measure.hold import members_to_settle

    needed = [members_to_settle(wide.against[0], 5, limit) for limit in (0.4, 0.7)]
    assert asked.settle == max(*needed, 10)


def test_no_number_settles_what_lies_on_a_limit():
    assert survives(held(0.6, 0.8, value=0.7, error=0.2), None, 200).settle == 0


def test_what_may_hold_takes_ten_members_to_settle():
    asked = survives(held(0.65, 0.95, n=4, value=0.9, error=0.05), None, 200)
    assert (asked.words, asked.settle) == (("shaky", "holds"), 10)


def test_what_is_decided_needs_no_more():
    assert survives(held(0.1, 0.2), None, 200).settle is None


def test_of_a_single_member_another_cannot_be_asked():
    asked = alone("checkpoint")
    assert (asked.name, asked.answer) == ("survives", "not asked")
    assert asked.because == "one checkpoint says nothing of another: bring two more"
