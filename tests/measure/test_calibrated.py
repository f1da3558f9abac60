"""Is the confidence right where it is used?"""

import pytest
import torch
from scipy.stats import t

from holdfast.measure.calibrated import LEAST, TOLERANCE, ask_calibrated, confidence_bins
from tests.reference.measure import confidence_gaps


def members(count=5, n=1500, noise=0.4, sharper=1.0, seed=0):
    """Calibrated members with a view of their own: ``y`` is 1 where ``z + e > 0``, a member sees ``z`` with
    noise and says ``P(y | what it sees)``; then made surer than that."""
    draw = torch.Generator().manual_seed(seed)
    normal = torch.distributions.Normal(0.0, 1.0)
    z, e = torch.randn(2, n, generator=draw, dtype=torch.float64)
    seen = z + noise * torch.randn(count, n, generator=draw, dtype=torch.float64)
    left = noise**2 / (1 + noise**2)
    p = normal.cdf(seen / (1 + noise**2) / (1 + left) ** 0.5)
    p = (torch.logit(p.clamp(1e-9, 1 - 1e-9)) * sharper).sigmoid()
    return torch.stack([1 - p, p], -1), (z + e > 0).long()


def asked(*given):
    return ask_calibrated(confidence_bins(*given))


def test_the_intervals_are_those_of_the_naive_twin():
    p, targets = members(count=3, n=700)
    bins = confidence_bins(p, targets)
    twin = confidence_gaps(p.tolist(), targets.tolist(), LEAST)
    count = sum(variance is not None for _, _, variance, _ in twin)
    assert 0 < count < len(twin) == len(bins)
    for one, (low, gap, variance, freedom) in zip(bins, twin, strict=True):
        assert (one.low, one.gap.value) == (pytest.approx(low), pytest.approx(gap))
        assert (one.gap.low is None) == (variance is None)
        if variance is not None:
            half = t.ppf(1 - 0.025 / count, freedom) * variance**0.5
            assert (one.gap.low, one.gap.high) == pytest.approx((gap - half, gap + half))


@pytest.mark.parametrize(("count", "n", "noise"), [(3, 600, 0.0), (5, 2000, 0.4), (10, 1000, 1.0)])
def test_calibrated_members_are_not_warned_of(count, n, noise):
    """And in 95 of 100 runs no bin's interval misses the diagonal, all bins at once."""
    missed = 0
    for seed in range(40):
        bins = confidence_bins(*members(count, n, noise, seed=seed))
        assert ask_calibrated(bins).answer in ("passed", "undecided")
        missed += any(one.beyond + TOLERANCE > 0 for one in bins)
    assert missed <= 5  # of 40: 2 are expected, more than 5 once in a hundred times


def test_surer_members_are_warned_of_with_the_bin():
    question = asked(*members(sharper=2.5))
    assert question.answer == "warning"
    assert question.value > question.low > TOLERANCE == question.limit
    assert question.because.startswith("at confidences of 0.")
    assert "the models are over-confident" in question.because


def test_members_less_sure_than_right_are_warned_of_too():
    question = asked(*members(sharper=0.3))
    assert (question.answer, question.value < 0) == ("warning", True)
    assert "the models are under-confident" in question.because


def test_a_row_of_right_answers_is_no_proof():
    """A hundred right answers at a confidence of 0.94: they seem to have no error at all."""
    p = torch.tensor([0.06, 0.94], dtype=torch.float64).repeat(3, 100, 1)
    [one] = confidence_bins(p, torch.ones(100, dtype=torch.long))
    assert one.gap.value == pytest.approx(-0.06)
    assert one.beyond < 0
    assert ask_calibrated([one]).answer == "undecided"


def test_few_examples_or_members_leave_it_undecided():
    question = asked(*members(n=120))
    assert question.answer == "undecided"
    assert question.because == "no confidence bin has 100 test examples"
    question = asked(*members(count=2))
    assert (question.answer, question.because) == ("undecided", "two seeds give no margin of error")


def test_a_bin_that_looks_wrong_is_neither_passed_nor_warned_of():
    """Members that are 0.8 sure and 0.7 right on 100 examples: 0.1 apart, but it may be less than 0.05."""
    p = torch.tensor([0.2, 0.8], dtype=torch.float64).repeat(3, 100, 1)
    question = asked(p, (torch.arange(100) % 10 < 7).long())
    assert (question.answer, question.value) == ("undecided", pytest.approx(0.1))
    assert question.low is not None
    assert question.low < TOLERANCE < question.value
    assert question.because == (
        "at confidences of 0.8 to 0.9 the models look over-confident: 0.80 sure and 0.70 right, 0.10 "
        f"[{question.low:.2f}, {question.high:.2f}] apart, which may be chance; 0.05 is the most"
    )


def test_what_passed_says_what_could_go_unseen():
    question = asked(*members())
    assert question.answer == "passed"
    assert question.because.startswith("5 of 10 confidence bins have 100 test examples or more, and none")
    assert question.because.endswith("could go unseen")


def test_full_confidence_is_in_the_last_bin():
    p = torch.tensor([0.0, 1.0]).repeat(3, 100, 1)
    [one] = confidence_bins(p, torch.ones(100, dtype=torch.long))
    assert (one.low, one.high, one.gap.value) == (0.9, 1.0, 0.0)


def test_answers_of_one_example_count_together():
    p, targets = members(n=400)
    rows = p.repeat_interleave(10, 1), targets.repeat_interleave(10)
    apart, together = (confidence_bins(*rows, examples)[-1].gap for examples in (None, 400))
    assert together.high - together.low > apart.high - apart.low


def test_one_member_is_judged_by_its_examples():
    p, targets = members(n=2000, count=1)
    [*_, last] = bins = confidence_bins(p, targets)
    assert last.gap.low < 0 < last.gap.high
    assert ask_calibrated(bins).answer == "passed"
    few = confidence_bins(p[:, :50], targets[:50])
    assert ask_calibrated(few).because == "no confidence bin has 100 test examples"
