import pytest
import scipy.stats
import torch

from holdfast.measure.contrast import contrast, contrast_of
from holdfast.measure.hold import hold
from holdfast.measure.impostors import Shuffled
from holdfast.measure.scale import scale_of
from tests.measure.builders import explanation, random_explanation
from tests.reference import hold as reference


def test_the_naive_twin_agrees():
    given = random_explanation()
    expected = []
    for k, valid in enumerate(given.mask):
        parts = [reference.weights(member[k][valid].tolist(), False) for member in given.scores]
        mean = [sum(column) / len(parts) for column in zip(*parts, strict=True)]
        expected.append(reference.contrast(mean))
    measured = contrast_of(given)
    assert measured.consensus.value == pytest.approx(sum(expected) / len(expected))


def test_noise_keeps_nothing_and_agreement_keeps_all():
    dice = torch.Generator().manual_seed(0)
    noise = explanation(torch.randn(10, 200, 12, generator=dice).exp().tolist())
    assert abs(contrast_of(noise).kept.value) < 0.05
    same = explanation(torch.randn(200, 12, generator=dice).exp().repeat(10, 1, 1).tolist())
    assert contrast_of(same).kept.value == pytest.approx(1.0)


def test_a_map_washed_over_everything_has_no_contrast_but_may_hold():
    washed = 1 + 0.01 * torch.rand(50, 12, generator=torch.Generator().manual_seed(0))
    given = explanation(washed.repeat(5, 1, 1).tolist())
    measured = contrast_of(given)
    assert measured.consensus.value < 0.05
    assert measured.top == pytest.approx(measured.even, rel=0.02)
    assert hold(scale_of(given, [Shuffled()])).value == 1.0


def test_the_share_on_the_top_tenth():
    scores = torch.zeros(3, 1, 20)
    scores[..., :2], scores[..., 2:] = 4.0, 2 / 18
    measured = contrast_of(explanation(scores.tolist()))
    assert (measured.top, measured.even) == (pytest.approx(0.8), pytest.approx(0.1))


def test_masked_positions_do_not_count():
    mask = torch.tensor([[True, True, True, False]])
    assert contrast(torch.tensor([[1.0, 0.0, 0.0, 0.0]]), mask).item() == pytest.approx(1.0)
    assert contrast(torch.full((1, 4), 1 / 3) * mask, mask).item() == pytest.approx(0.0, abs=1e-7)


def test_single_positions_have_none():
    assert contrast_of(explanation(torch.ones(3, 4, 1))) is None


def test_one_member_has_its_own_contrast_over_examples():
    own = random_explanation(members=1, examples=30)
    each = [
        reference.contrast(reference.weights(own.scores[0, k][v].tolist(), False))
        for k, v in enumerate(own.mask)
    ]
    measured, error = contrast_of(own), scipy.stats.sem(each)
    half = scipy.stats.t.ppf(0.975, 29) * error
    assert measured.kept is None
    assert (measured.consensus.value, measured.consensus.low, measured.consensus.n) == pytest.approx(
        (sum(each) / 30, sum(each) / 30 - half, 1)
    )
