import numpy as np
import pytest
import scipy.stats
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting, TooFewMembers
from holdfast.core.records import Member
from holdfast.measure.hold import hold, hold_members
from holdfast.measure.impostors import AnotherInput, Shuffled
from holdfast.measure.scale import scale_of
from holdfast.measure.statistics import paired, paired_hold, wilcoxon
from tests.measure.builders import explanation, random_explanation
from tests.reference import measure as reference


@given(values=st.lists(st.integers(-4, 6), min_size=1, max_size=9))
def test_wilcoxon_counts_every_pattern_of_signs(values):
    p = wilcoxon(torch.tensor(values, dtype=torch.float64))
    assert p == pytest.approx(reference.wilcoxon(values))


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("n", [5, 10, 40, 200])
def test_wilcoxon_is_scipys(n, alternative):
    x = np.random.default_rng(n).normal(0.2, 1, n)
    method = "exact" if n <= 50 else "approx"
    expected = scipy.stats.wilcoxon(x, alternative=alternative, method=method).pvalue
    assert wilcoxon(torch.tensor(x), alternative) == pytest.approx(expected)


def test_wilcoxon_keeps_the_far_tail():
    x = np.linspace(0.1, 1.0, 1000)
    expected = scipy.stats.wilcoxon(x, alternative="greater", method="asymptotic").pvalue
    assert 0 < expected < 1e-160
    assert wilcoxon(torch.tensor(x), "greater") == pytest.approx(expected, rel=1e-6)


def test_no_difference_is_no_evidence():
    assert wilcoxon(torch.zeros(5)) == 1.0


def test_paired_is_the_t_interval_of_the_differences():
    before, after = torch.tensor([0.5, 0.6, 0.8, 0.7]), torch.tensor([0.7, 0.65, 0.9, 0.9])
    result = paired(before, after)
    change = (after.double() - before.double()).numpy()
    ends = scipy.stats.ttest_1samp(change, 0).confidence_interval()
    assert (result.difference.low, result.difference.high) == pytest.approx((ends.low, ends.high))
    assert (result.before, result.after) == pytest.approx((0.65, 0.7875))
    assert result.p == pytest.approx(0.125)


def test_unpaired_values_are_refused():
    message = r"^expected one value for each member before and after, but got shapes \(3,\) and \(2,\)$"
    with pytest.raises(BadSetting, match=message):
        paired(torch.rand(3), torch.rand(2))


def shuffled_scale(explained):
    return scale_of(explained, [Shuffled()])


def test_a_repair_that_helps_is_seen():
    before, after = (shuffled_scale(random_explanation(8, 40, noise=noise)) for noise in (2.0, 0.3))
    result = paired_hold(before, after)
    assert result.difference.low > 0
    assert (result.before, result.after) == pytest.approx((hold(before).value, hold(after).value))
    assert result.p == pytest.approx(2 / 2**8)


def test_the_interval_leaves_the_same_member_out_of_both():
    a, b = (
        random_explanation(5, 20, noise=noise, seeds=seeds)
        for noise, seeds in ((1.0, [0, 1, 2, 3, 4]), (0.5, [4, 3, 2, 1, 9]))
    )
    common = [1, 2, 3, 4]

    def difference(kept):
        one, other = (
            explanation(e.scores[[e.members.index(Member(s)) for s in kept]], e.mask, seeds=kept)
            for e in (a, b)
        )
        return hold(shuffled_scale(other)).value - hold(shuffled_scale(one)).value

    result = paired_hold(shuffled_scale(a), shuffled_scale(b))
    expected = reference.jackknife(common, difference)
    difference = result.difference
    assert (difference.value, difference.low, difference.high) == pytest.approx(expected)
    assert hold_members(shuffled_scale(a)).shape == (5,)


def test_runs_without_common_seeds_cannot_be_compared():
    a, b = (shuffled_scale(random_explanation(3, seeds=seeds)) for seeds in ([0, 1, 2], [2, 3, 4]))
    with pytest.raises(
        TooFewMembers, match=r"^comparing two runs needs two members that both have, but there are 1$"
    ):
        paired_hold(a, b)


def test_an_impostor_that_one_side_lacks_counts_on_neither():
    """Against a nearer opponent on one side alone, the very same explanations would seem to change."""
    same = random_explanation(5, 40, noise=0.3)
    both, one = scale_of(same, [Shuffled(), AnotherInput()]), shuffled_scale(same)
    assert hold(both).nearest == "another input"
    assert hold(both).value < hold(one).value
    for pair in ((both, one), (one, both)):
        result = paired_hold(*pair)
        assert (result.difference.value, result.p) == (0, 1)
        assert result.before == pytest.approx(hold(one).value)
