import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from netcal.metrics import ACE, ECE, MCE
from sklearn.metrics import brier_score_loss, log_loss
from torchmetrics.functional.classification import multiclass_calibration_error

from holdfast.measure.calibration import (
    ace,
    brier,
    calibrated_ece,
    count_bin,
    ece,
    mce,
    nll,
    overconfidence,
    reliability,
)
from tests.reference import measure as reference


def predictions(n=300, classes=3, seed=0):
    draw = torch.Generator().manual_seed(seed)
    logits = 2 * torch.randn(n, classes, generator=draw, dtype=torch.float64)
    return logits.softmax(-1), torch.randint(classes, (n,), generator=draw)


@given(
    rows=st.lists(st.tuples(st.integers(0, 20), st.integers(0, 1)), min_size=1, max_size=30),
    bins=st.integers(1, 15),
)
def test_the_naive_twin_agrees_at_every_limit_of_a_bin(rows, bins):
    p = torch.tensor([[1 - k / 20, k / 20] for k, _ in rows], dtype=torch.float64)
    targets = torch.tensor([target for _, target in rows])
    curve, given_ = reliability(p, targets, bins), (p.tolist(), targets.tolist(), bins)
    for ours, twin in (
        (ece, reference.ece),
        (mce, reference.mce),
        (overconfidence, reference.overconfidence),
    ):
        assert ours(curve) == pytest.approx(twin(*given_), abs=1e-12)
    assert ace(p, targets, bins) == pytest.approx(reference.ace(*given_), abs=1e-12)
    assert curve.count.tolist() == [n for n, _, _ in reference.reliability(*given_)]


@pytest.mark.parametrize("classes", [2, 3])
def test_netcal_and_torchmetrics_agree(classes):
    p, targets = predictions(classes=classes)
    curve = reliability(p, targets, 10)
    # netcal takes the positive class's probability of two; the two-column form is the confidence.
    assert ece(curve) == pytest.approx(
        multiclass_calibration_error(p, targets, classes, n_bins=10, norm="l1").item(), abs=1e-6
    )
    assert mce(curve) == pytest.approx(
        multiclass_calibration_error(p, targets, classes, n_bins=10, norm="max").item(), abs=1e-6
    )
    if classes == 3:
        assert ece(curve) == pytest.approx(ECE(10).measure(p.numpy(), targets.numpy()), abs=1e-9)
        assert mce(curve) == pytest.approx(MCE(10).measure(p.numpy(), targets.numpy()), abs=1e-9)


@pytest.mark.parametrize("classes", [2, 3])
def test_ace_is_netcals_error_of_each_class_in_bins_of_equal_count(classes):
    p, targets = predictions(classes=classes)
    equal = ECE(10, equal_intervals=False)
    each = [
        equal.measure(p[:, c].numpy(), (targets == c).long().numpy()) for c in range(classes)
    ]  # 300 examples in 10 bins: without ties, counts are equal
    assert ace(p, targets) == pytest.approx(sum(each) / classes, abs=1e-9)


def test_what_netcal_calls_ace_is_something_else():
    """The average gap of bins of equal width, empty ones left out."""
    p, targets = predictions()
    curve = reliability(p, targets, 10)
    average = curve.gap[curve.count > 0].mean().item()
    assert ACE(10).measure(p.numpy(), targets.numpy()) == pytest.approx(average, abs=1e-9)
    assert ace(p, targets) != pytest.approx(average, abs=1e-3)


def test_bins_of_equal_count_differ_by_one_at_most():
    counts = count_bin(predictions(n=47)[0], 10)[:, 0].bincount(minlength=10)
    assert set(counts.tolist()) == {4, 5}


def test_full_confidence_belongs_to_the_last_bin():
    p = torch.tensor([[0.0, 1.0], [0.05, 0.95]])
    assert reliability(p, torch.tensor([0, 1])).count.tolist() == [0] * 9 + [2]


def test_the_sign_says_which_way():
    sure = torch.tensor([[0.1, 0.9]] * 10)
    over, under = torch.tensor([1] * 5 + [0] * 5), torch.ones(10, dtype=torch.long)
    assert overconfidence(reliability(sure, over)) == pytest.approx(0.4, abs=1e-6)
    assert overconfidence(reliability(sure, under)) == pytest.approx(-0.1, abs=1e-6)


def test_a_calibrated_model_has_about_the_expected_error():
    draw = torch.Generator().manual_seed(0)
    confidence = 0.5 + torch.rand(400, generator=draw, dtype=torch.float64) / 2
    p = torch.stack([1 - confidence, confidence], -1)
    drawn = [(torch.rand(400, generator=draw) < confidence).long() for _ in range(200)]
    mean = sum(ece(reliability(p, targets)) for targets in drawn) / len(drawn)
    assert calibrated_ece(p) == pytest.approx(mean, rel=0.05)


@pytest.mark.parametrize("classes", [2, 4])
def test_sklearn_agrees(classes):
    p, targets = predictions(classes=classes)
    assert nll(p, targets) == pytest.approx(log_loss(targets, p.numpy()))
    ours = brier_score_loss(targets.numpy(), p.numpy() if classes > 2 else p[:, 1].numpy())
    assert brier(p, targets) == pytest.approx(ours)


def test_a_certain_mistake_is_finite():
    assert nll(torch.tensor([[1.0, 0.0]]), torch.tensor([1])) == pytest.approx(-math.log(1e-12))
