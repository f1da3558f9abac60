import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting
from holdfast.measure.groups import Anova, Observation, anova, holm, tukey, tukey_by_method
from tests.reference import localisation as reference

CELLS = ("convdeep", "deep", "deep_v2", "shallow")
# Chormai, Appendix 2: sums of squares, F, p, η², then each pair's difference and interval.
PUBLISHED = {
    "sensitivity": (
        (0.017522, 0.017870, 16.995769, 8.038269e-08, 0.495083),
        (
            *((-0.0353, -0.0539, -0.0167), (-0.019, -0.0376, -0.0005), (-0.047, -0.0656, -0.0284)),
            *((0.0163, -0.0023, 0.0348), (-0.0117, -0.0303, 0.0069), (-0.028, -0.0466, -0.0094)),
        ),
    ),
    "guided_backprop": (
        (0.021354, 0.072995, 5.070579, 0.003727, 0.226326),
        (
            *((-0.0458, -0.0834, -0.0083), (-0.0233, -0.0609, 0.0143), (-0.0482, -0.0858, -0.0106)),
            *((0.0226, -0.015, 0.0601), (-0.0024, -0.0399, 0.0352), (-0.0249, -0.0625, 0.0127)),
        ),
    ),
    "deep_taylor": (
        (0.469895, 0.027559, 295.54357, 1.217432e-32, 0.944600),
        (
            *((-0.062, -0.0851, -0.0389), (-0.0169, -0.04, 0.0062), (-0.2313, -0.2544, -0.2082)),
            *((0.0451, 0.022, 0.0682), (-0.1693, -0.1924, -0.1462), (-0.2144, -0.2375, -0.1913)),
        ),
    ),
    "lrp": (
        (0.483564, 0.032165, 260.587651, 2.640318e-31, 0.937632),
        (
            *((-0.0344, -0.0593, -0.0094), (-0.0079, -0.0329, 0.017), (-0.2267, -0.2516, -0.2017)),
            *((0.0264, 0.0015, 0.0514), (-0.1923, -0.2173, -0.1674), (-0.2187, -0.2437, -0.1938)),
        ),
    ),
}


def grouped(groups, block=""):
    return [Observation(float(x), name, block) for name, xs in groups.items() for x in xs]


def draws(seed, sizes=(7, 7, 7), blocks=("",), shift=0.3):
    draw = np.random.default_rng(seed)
    return [
        Observation(float(draw.normal(shift * g + 5 * b)), f"g{g}", block)
        for b, block in enumerate(blocks)
        for g, size in enumerate(sizes)
        for _ in range(size)
    ]


def as_published(method):
    """Fourteen made-up values a cell, whose means and sum of squares are the published ones."""
    (_, within, *_), pairs = PUBLISHED[method]
    means = (0.0, *(difference for difference, _, _ in pairs[:3]))
    pattern = np.arange(14) - 6.5
    pattern *= math.sqrt(within / 4 / (pattern**2).sum())
    return grouped({cell: mean + pattern for cell, mean in zip(CELLS, means, strict=True)})


@pytest.mark.parametrize("method", PUBLISHED)
def test_published_sums_of_squares_give_the_published_test(method):
    between, within, f, p, eta = PUBLISHED[method][0]
    analysis = Anova(between, within, between + within, 3, 52)
    assert analysis.f == pytest.approx(f, rel=1e-4)
    assert analysis.p == pytest.approx(p, rel=2e-3)
    assert analysis.eta_squared == pytest.approx(eta, abs=2e-5)


@pytest.mark.parametrize("method", PUBLISHED)
def test_published_means_give_the_published_intervals(method):
    rows = as_published(method)
    (_, within, *_), pairs = PUBLISHED[method]
    assert anova(rows).within == pytest.approx(within)
    assert anova(rows).rest == 52
    contrasts = tukey(rows)
    assert [(c.group, c.other) for c in contrasts] == list(itertools.combinations(CELLS, 2))
    for contrast, (value, low, high) in zip(contrasts, pairs, strict=True):
        ends = (contrast.difference.value, contrast.difference.low, contrast.difference.high)
        assert ends == pytest.approx((value, low, high), abs=1.6e-4)
        assert (contrast.p < 0.05) == (low * high > 0)
        assert contrast.difference.n == 28


@pytest.mark.parametrize("sizes", [(4, 4, 4), (3, 6, 5), (5, 9)])
def test_without_blocks_it_is_scipys(sizes):
    rows = draws(len(sizes), sizes)
    groups = [[o.value for o in rows if o.group == f"g{g}"] for g in range(len(sizes))]
    f = scipy.stats.f_oneway(*groups)
    assert (anova(rows).f, anova(rows).p) == pytest.approx((f.statistic, f.pvalue))
    peer = scipy.stats.tukey_hsd(*groups)
    ends = peer.confidence_interval(0.95)
    for contrast in tukey(rows):
        i, j = int(contrast.group[1]), int(contrast.other[1])
        assert contrast.difference.value == pytest.approx(peer.statistic[j, i])
        assert contrast.difference.low == pytest.approx(ends.low[j, i])
        assert contrast.difference.high == pytest.approx(ends.high[j, i])
        assert contrast.p == contrast.corrected == pytest.approx(peer.pvalue[j, i])


@given(seed=st.integers(0, 999), groups=st.integers(2, 4), blocks=st.integers(1, 3), each=st.integers(2, 3))
def test_sums_of_squares_are_the_naive_ones(seed, groups, blocks, each):
    rows = draws(seed, (each,) * groups, tuple(map(str, range(blocks))))
    analysis = anova(rows)
    expected = reference.two_way(*zip(*((o.value, o.group, o.block) for o in rows), strict=True))
    assert (analysis.between, analysis.within, analysis.total) == pytest.approx(expected)
    assert analysis.rest == len(rows) - groups - blocks + 1


def test_blocks_take_out_what_they_add():
    rows = draws(0, (7, 7, 7), ("mnist", "fashion"), shift=1.0)
    pooled = [Observation(o.value, o.group) for o in rows]
    assert anova(rows).p < 1e-3 < 0.1 < anova(pooled).p
    for blocked, plain in zip(tukey(rows), tukey(pooled), strict=True):
        assert blocked.difference.value == pytest.approx(plain.difference.value)
        assert blocked.difference.high - blocked.difference.low < plain.difference.high - plain.difference.low


def test_a_blocks_level_does_not_matter_even_if_a_fold_is_missing():
    rows = draws(3, (3, 3), ("a", "b"))[:-1]
    lifted = [Observation(o.value + 9 * (o.block == "b"), o.group, o.block) for o in rows]
    (one,), (other,) = tukey(rows), tukey(lifted)
    assert one.difference.value == pytest.approx(other.difference.value)
    assert one.p == pytest.approx(other.p)


@given(ps=st.lists(st.sampled_from([0.001, 0.01, 0.02, 0.03, 0.2, 0.7]), min_size=1, max_size=5))
def test_holm_is_the_naive_one(ps):
    assert holm(ps) == pytest.approx(reference.holm(ps))


def test_methods_are_corrected_pair_by_pair():
    methods = {f"m{i}": draws(i, (4, 4, 4), shift=0.5) for i in range(3)}
    contrasts = tukey_by_method(methods)
    assert len(contrasts) == 9
    for pair in itertools.combinations(("g0", "g1", "g2"), 2):
        same = [c for c in contrasts if (c.group, c.other) == pair]
        assert [c.method for c in same] == list(methods)
        assert [c.corrected for c in same] == pytest.approx(holm([c.p for c in same]))


def test_groups_that_are_one_are_seldom_told_apart():
    draw = np.random.default_rng(0)
    false = sum(anova(grouped({str(g): draw.normal(size=5) for g in range(3)})).p < 0.05 for _ in range(400))
    assert 8 <= false <= 34


def test_values_that_do_not_vary_are_decided():
    same = anova(grouped({"a": [1, 1], "b": [1, 1]}))
    assert (same.f, same.p, same.eta_squared) == (0.0, 1.0, 0.0)
    apart = grouped({"a": [1, 1], "b": [2, 2]})
    assert (anova(apart).f, anova(apart).p) == (math.inf, 0.0)
    assert tukey(apart)[0].p == 0.0
    assert tukey(grouped({"a": [1, 1], "b": [1, 1]}))[0].p == 1.0


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (grouped({"a": [1, 2]}), "comparing groups needs at least two, but there are 1"),
        (
            grouped({"a": [1], "b": [2]}),
            "2 observations cannot tell 2 groups in 1 blocks apart: "
            "give every group more of them, in the same blocks",
        ),
        (
            grouped({"a": [1, 2, 3]}, "x") + grouped({"b": [1, 2, 3]}, "y"),
            "6 observations cannot tell 2 groups in 2 blocks apart: "
            "give every group more of them, in the same blocks",
        ),
        (
            grouped({"a": [1, math.nan], "b": [1, 2]}),
            "expected every observation to be a finite number, but some are NaN or infinite",
        ),
    ],
)
def test_what_cannot_be_told_apart_is_refused(rows, message):
    for test in (anova, tukey):
        with pytest.raises(BadSetting) as caught:
            test(rows)
        assert str(caught.value) == message
