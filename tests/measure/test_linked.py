"""Is a quantity linked with miscalibration, or with confidence alone?"""

import pytest
import torch

from holdfast.measure.linked import (
    GROUPS,
    LEAST,
    NEAR,
    examples_left,
    gap_correlation,
    mean_over_both,
    wrong_beside_right,
)
from tests.reference import measure as naive


def predictions(members=5, n=1500, link=0.0, seed=0):
    """Members that are the more over-confident the surer they are: a fifth of the labels is wrong. The effect
    is the sigmoid's slope times noise, most of it the examples' own, and lower by ``link`` where a prediction
    is wrong."""
    draw = torch.Generator().manual_seed(seed)
    z, noise = torch.randn(2, n, generator=draw, dtype=torch.float64)
    truth = torch.rand(n, generator=draw) < 0.2 + 0.6 * z.mul(2).sigmoid()
    seen = z + 0.2 * torch.randn(members, n, generator=draw, dtype=torch.float64)
    p = (4 * seen).sigmoid()
    predicted = (p > 0.5).long()
    confidence, right = torch.maximum(p, 1 - p), predicted == truth
    slope = confidence * (1 - confidence)
    shared = (0.5 * noise).exp() * (0.2 * torch.randn(members, n, generator=draw, dtype=torch.float64)).exp()
    return slope * shared * torch.where(right, 1.0, 1.0 - link), confidence, predicted, right


def intervals(*given):
    """By tenths, and matched."""
    keeps = examples_left(torch.arange(given[0].shape[1]))

    def table(measure, which):
        return torch.tensor(
            [[measure(*(given[i][m][k] for i in which)) for m in range(len(given[0]))] for k in keeps]
        )

    return mean_over_both(table(gap_correlation, (0, 1, 3))), mean_over_both(
        table(wrong_beside_right, (0, 1, 2, 3))
    )


def test_both_are_their_naive_twins():
    for seed in range(3):
        effect, confidence, predicted, right = (one[0] for one in predictions(1, 200, seed=seed))
        weight = torch.rand(200, generator=torch.Generator().manual_seed(seed)) + 0.5
        lists = [one.tolist() for one in (effect, confidence, right, weight)]
        twin = naive.gap_correlation(*lists, LEAST)
        assert gap_correlation(effect, confidence, right, weight) == pytest.approx(twin)
        lists = [one.tolist() for one in (effect, confidence, predicted, right)]
        twin = naive.wrong_beside_right(*lists, LEAST, NEAR)
        assert wrong_beside_right(effect, confidence, predicted, right) == pytest.approx(twin, nan_ok=True)


def test_an_effect_that_follows_confidence_alone_is_linked_by_tenths_but_not_when_matched():
    """Over-confident models have the first by the sigmoid alone; the second has 0 inside, 95 times of 100."""
    missed = 0
    for seed in range(40):
        by_tenth, matched = intervals(*predictions(n=600, seed=seed))
        assert by_tenth.high < 0.0
        missed += not matched.low <= 0.0 <= matched.high
    assert missed <= 5  # of 40: 2 are expected, more than 5 once in a hundred times


@pytest.mark.parametrize("link", [0.3, -0.5])
def test_a_link_is_found_with_its_size(link):
    _, matched = intervals(*predictions(link=link))
    assert matched.low < -link < matched.high
    assert matched.low * matched.high > 0


def test_labels_that_have_nothing_to_do_with_it_give_nothing():
    effect, confidence, predicted, _ = predictions(link=0.5)
    draw = torch.Generator().manual_seed(1)
    right = torch.rand(confidence.shape, generator=draw, dtype=torch.float64) < confidence
    _, matched = intervals(effect, confidence, predicted, right)
    assert matched.low < 0.0 < matched.high


def test_members_alone_would_call_a_chance_of_the_examples_a_link():
    effect, confidence, predicted, right = predictions(n=300, members=10)
    _, matched = intervals(effect, confidence, predicted, right)
    each = torch.tensor(
        [wrong_beside_right(*one) for one in zip(effect, confidence, predicted, right, strict=True)]
    )
    assert matched.value == pytest.approx(float(each.mean()))
    assert matched.high - matched.low > 2 * 2.262 * float(each.std()) / 10**0.5


def test_too_few_give_nothing():
    effect, confidence, predicted, right = (one[0] for one in predictions(1, 200))
    assert gap_correlation(*(one[:40] for one in (effect, confidence, right))) != 0
    few = torch.where(~right, (~right).cumsum(0) > 15, True)
    assert str(wrong_beside_right(effect, confidence, predicted, few)) == "nan"
    assert str(wrong_beside_right(0 * effect, confidence, predicted, right)) == "nan"
    assert mean_over_both(torch.full((GROUPS + 1, 4), torch.nan)) is None
