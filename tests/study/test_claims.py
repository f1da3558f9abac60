import math

import pytest

from holdfast.measure.reduce import Interval
from holdfast.study.claims import Claim, claims
from tests.reference import compare as naive
from tests.reference import study as twin
from tests.study.tiny import cell


def named(found: list[Claim], word: str) -> Claim:
    (one,) = [claim for claim in found if word in claim.claim]
    return one


PLAIN = cell(members=8, noise=0.8)
CALM = claims(PLAIN, cell(members=8, noise=0.1, repair="aswa", seed=7))


@pytest.mark.parametrize("word", ["predictions deviate", "of attention", "of gradient"])
def test_a_real_cut_came_out(word: str) -> None:
    claim = named(CALM, word)
    assert claim.verdict == "came out"
    assert claim.cut.low is not None
    assert 0.5 < claim.cut.low <= claim.cut.value <= 1
    assert claim.after < claim.before
    assert claim.where == "planted, cnn: aswa against none"


@pytest.mark.parametrize("word", ["predictions deviate", "of attention", "of gradient"])
def test_no_cut_is_not_decided(word: str) -> None:
    same = claims(PLAIN, cell(members=8, noise=0.8, repair="aswa", seed=7))
    assert named(same, word).verdict == "not decided"


@pytest.mark.parametrize("word", ["predictions deviate", "of attention"])
def test_the_contrary_can_come_out(word: str) -> None:
    calm, wild = cell(members=8, noise=0.1, seed=7), cell(members=8, noise=0.8, repair="aswa")
    assert named(claims(calm, wild), word).verdict == "the contrary came out"


def test_two_seeds_decide_nothing() -> None:
    found = claims(cell(members=2, noise=0.8), cell(members=2, noise=0.1, repair="aswa", seed=7))
    assert {claim.verdict for claim in found} == {"not decided"}


def test_nothing_shrinks_by_more_than_all_of_it() -> None:
    found = claims(cell(members=3, noise=0.8), cell(members=3, noise=0.1, repair="aswa", seed=7))
    cut = named(found, "spread of accuracy").cut
    assert cut.low < cut.value < cut.high == 1.0


def test_cuts_against_loops() -> None:
    calm = cell(members=8, noise=0.1, repair="aswa", seed=7)
    before, after = (
        twin.mean_over_pairs(
            c.explanations["attention"].scores.double().tolist(), c.mask.sum(1).tolist(), range(12),
            lambda a, b: naive.kl(a, b, False),
        )
        for c in (PLAIN, calm)
    )  # fmt: skip
    claim = named(CALM, "of attention")
    assert (claim.before, claim.after) == pytest.approx((before, after), abs=1e-5)
    assert claim.cut.value == pytest.approx(1 - after / before, abs=1e-4)
    spread = [
        twin.sd([(m.argmax(-1) == c.targets).double().mean().item() for m in c.probabilities])
        for c in (PLAIN, calm)
    ]
    assert named(CALM, "spread of accuracy").cut.value == pytest.approx(1 - spread[1] / spread[0])


def test_only_seeds_that_both_have_are_compared() -> None:
    few = cell(members=5, noise=0.1, repair="aswa", seed=7)
    for claim in claims(PLAIN, few):
        assert claim.cut.n == 5
        assert math.isfinite(claim.cut.value)


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [
        (0.1, 0.5, "came out"),
        (-0.1, 0.5, "not decided"),
        (-0.5, -0.1, "the contrary came out"),
        (0.0, 0.5, "not decided"),
    ],
)
def test_the_interval_decides(low: float, high: float, word: str) -> None:
    level = Interval(-0.01, -0.03, 0.01, 9)
    assert Claim("c", "w", "p", Interval(0.2, low, high, 9), 1.0, 0.8, level).verdict == word


@pytest.mark.parametrize(
    ("value", "high", "word"),
    [(-0.3, -0.2, "paid for in accuracy"), (-0.3, 0.1, "came out"), (-0.01, -0.005, "came out")],
)
def test_a_cut_is_worth_nothing_where_accuracy_fell(value: float, high: float, word: str) -> None:
    gained = Interval(value, value - 0.1, high, 9)
    assert Claim("c", "w", "p", Interval(0.9, 0.8, 1.0, 9), 1.0, 0.1, gained).verdict == word
