import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.catalogue import catalogue, make
from holdfast.core.compare.jensen_shannon import JensenShannon
from holdfast.core.compare.spearman import Spearman
from holdfast.core.errors import TooFewMembers
from holdfast.core.records import Member
from holdfast.measure.pairing import against_shuffled, over_members
from holdfast.measure.verdict import hold, hold_each, hold_members, judge, scale_of
from tests.measure.builders import explanation, random_explanation
from tests.measure.test_reduce import assert_near, square
from tests.reference import measure as reference


@pytest.mark.parametrize("comparison", [JensenShannon(), Spearman()], ids=["distance", "similarity"])
@given(members=st.integers(2, 6), seed=st.integers(0, 99), noise=st.floats(0.1, 3), signed=st.booleans())
def test_hold_is_the_naive_ratio(comparison, members, seed, noise, signed):
    given_ = random_explanation(members, seed=seed, noise=noise, signed=signed)
    scale = scale_of(given_, comparison)
    values = square(over_members(given_, comparison))
    shuffled = square(against_shuffled(given_, comparison))
    for select, instances in ((None, range(6)), (torch.arange(6) < 2, [0, 1])):
        expected = reference.jackknife(
            list(range(members)),
            lambda kept, on=instances: (
                reference.hold(kept, values, shuffled, comparison.identical, on) if len(kept) > 1 else 0.0
            ),
        )
        value, low, high = expected
        assert_near(hold(scale, select), (value, low, None if high is None else min(high, 1.0)))


@pytest.mark.parametrize("name", list(catalogue("comparisons")))
def test_every_comparison_has_the_same_scale(name):
    """The same again is 1; independent scores are near 0."""
    comparison = make("comparisons", name)
    draw = torch.Generator().manual_seed(1)
    same = torch.rand(1, 200, 8, generator=draw).repeat(4, 1, 1)
    assert hold(scale_of(explanation(same), comparison)).value == pytest.approx(1.0)
    independent = hold(scale_of(explanation(torch.rand(4, 200, 8, generator=draw)), comparison))
    assert independent.value == pytest.approx(0.0, abs=0.06)


def test_each_instance_is_the_selection_of_that_instance():
    scale = scale_of(random_explanation(members=4, noise=0.5))
    each = hold_each(scale)
    for b in range(6):
        one = hold(scale, torch.arange(6) == b)
        found = each.interval(b)
        assert (found.value, found.low, found.high) == pytest.approx((one.value, one.low, one.high))
        assert each.verdict(b).word == judge(scale, torch.arange(6) == b).word


def test_batch_composition_changes_nothing():
    given_ = random_explanation(members=3, examples=8)
    whole = hold_each(scale_of(given_, rows=torch.arange(8)))
    part = torch.tensor([6, 2])
    few = explanation(given_.scores[:, part], given_.mask[part])
    assert torch.allclose(hold_each(scale_of(few, rows=part)).value, whole.value[part])


def test_the_order_of_members_changes_nothing():
    given_ = random_explanation(members=4)
    turned = explanation(given_.scores.flip(0), given_.mask, seeds=[3, 2, 1, 0])
    one, other = hold(given_), hold(turned)
    assert (one.value, one.low) == pytest.approx((other.value, other.low))


def test_members_own_holds_find_the_odd_one_out():
    scores = torch.eye(5, dtype=torch.float64).expand(4, 5, 5).clone()
    scores[2] = scores[2].roll(1, -1)
    holds = hold_members(explanation(scores))
    assert holds.argmin().item() == 2
    assert holds[0] > 0.5 > holds[2]


def test_keep_is_the_explanation_of_those_members():
    given_ = random_explanation(members=5)
    few = explanation(given_.scores[[0, 3, 4]], given_.mask)
    kept = scale_of(given_).keep((Member(0), Member(3), Member(4)))
    assert hold(kept) == hold(few)


def noisy(noise, members=5):
    return random_explanation(members, examples=60, noise=noise, signed=True)


@pytest.mark.parametrize(("noise", "word"), [(0.05, "holds"), (0.6, "shaky"), (3.0, "does not hold")])
def test_words_follow_the_lower_end(noise, word):
    verdict = judge(noisy(noise))
    assert verdict.word == word
    limits = {"holds": (0.8, 1.0), "shaky": (0.5, 0.8), "does not hold": (-9, 0.5)}[word]
    assert limits[0] <= verdict.hold.low < limits[1] or verdict.hold.low == 1.0


def test_the_reason_gives_the_numbers():
    verdict = judge(noisy(0.05))
    pattern = (
        r"It holds: [\d.]+ % of the explanation survives another seed "
        r"\(95 % interval [\d.]+ % to [\d.]+ %, 5 seeds; "
        r"100 % is the same again, 0 % no better than shuffled\), and even the lower end is at least 80 %\."
    )
    assert re.fullmatch(pattern, verdict.reason)
    numbers = [float(x) / 100 for x in re.findall(r"([\d.]+) %", verdict.reason)]
    shown = [numbers[0], *numbers[2:4]]
    assert shown == pytest.approx([verdict.hold.value, verdict.hold.low, verdict.hold.high], abs=1.01e-3)
    assert "below 80 %" in judge(noisy(0.6)).reason
    assert "below 50 %" in judge(noisy(3.0), of="fold").reason
    assert "5 folds" in judge(noisy(3.0), of="fold").reason


def test_a_wide_interval_says_that_more_seeds_may_settle_it():
    scores = torch.eye(8, dtype=torch.float64).expand(6, 8, 8).clone()
    scores[0, :2] = scores[0, :2].roll(1, -1)
    verdict = judge(explanation(scores))
    assert verdict.hold.value > 0.8 > verdict.hold.low
    assert verdict.word == "shaky"
    assert "below 80 %: more seeds may settle it." in verdict.reason


def test_two_members_are_shaky_at_best():
    verdict = judge(explanation(torch.eye(4).expand(2, 4, 4)))
    assert (verdict.word, verdict.hold.low, verdict.hold.high) == ("shaky", None, None)
    assert verdict.reason == (
        "It is shaky: 100 % of the explanation survives another seed, but two seeds give no margin of error: "
        "three or more seeds are needed to be sure."
    )
    assert judge(noisy(3.0, members=2)).word == "does not hold"


@pytest.mark.parametrize(
    "scores", [torch.ones(3, 4, 6), torch.arange(12.0).view(3, 4, 1), torch.zeros(3, 4, 6)]
)
def test_uniform_scores_and_single_tokens_say_nothing(scores):
    verdict = judge(explanation(scores))
    assert (verdict.word, verdict.hold) == ("says nothing", None)
    assert verdict.reason == (
        "It says nothing: its scores are so even that shuffling them changes almost nothing "
        "(by 0, and 0.001 is the least that counts)."
    )
    each = hold_each(explanation(scores))
    assert not each.says.any()
    assert each.interval(0) is None
    assert each.verdict(0).word == "says nothing"
    assert (each.value == 0).all()


def test_an_empty_selection_says_nothing():
    verdict = judge(random_explanation(), torch.zeros(6, dtype=torch.bool))
    assert (verdict.word, verdict.reason) == (
        "says nothing",
        "It says nothing: there is no example to judge.",
    )


def test_a_percentage_below_a_limit_never_reads_as_the_limit():
    from holdfast.measure.verdict import _percent

    assert [_percent(x) for x in (0.79999, 0.8, 0.8234, 1.0, -0.3)] == [
        "79.9 %",
        "80 %",
        "82.3 %",
        "100 %",
        "0 %",
    ]


def test_one_member_is_too_few():
    with pytest.raises(TooFewMembers):
        judge(random_explanation(members=1))
