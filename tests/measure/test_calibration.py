import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from netcal.metrics import ECE, MCE
from sklearn.metrics import brier_score_loss, log_loss
from torchmetrics.functional.classification import multiclass_calibration_error

from holdfast.measure.calibration import brier, calibration, ece, mce, nll, reliability
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
    curve = reliability(p, targets, bins)
    assert ece(curve) == pytest.approx(reference.ece(p.tolist(), targets.tolist(), bins), abs=1e-12)
    assert mce(curve) == pytest.approx(reference.mce(p.tolist(), targets.tolist(), bins), abs=1e-12)
    assert curve.count.tolist() == [
        n for n, _, _ in reference.reliability(p.tolist(), targets.tolist(), bins)
    ]


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


def test_full_confidence_belongs_to_the_last_bin():
    p = torch.tensor([[0.0, 1.0], [0.05, 0.95]])
    assert reliability(p, torch.tensor([0, 1])).count.tolist() == [0] * 9 + [2]


@pytest.mark.parametrize("classes", [2, 4])
def test_sklearn_agrees(classes):
    p, targets = predictions(classes=classes)
    assert nll(p, targets) == pytest.approx(log_loss(targets, p.numpy()))
    ours = brier_score_loss(targets.numpy(), p.numpy() if classes > 2 else p[:, 1].numpy())
    assert brier(p, targets) == pytest.approx(ours)


def test_a_certain_mistake_is_finite():
    assert nll(torch.tensor([[1.0, 0.0]]), torch.tensor([1])) == pytest.approx(-math.log(1e-12))


def test_members_are_measured_one_by_one():
    many = torch.stack([predictions(seed=seed)[0] for seed in range(4)])
    targets = predictions()[1]
    result = calibration(many, targets)
    assert result.ece.values == pytest.approx([ece(reliability(p, targets)) for p in many])
    assert result.brier.mean == pytest.approx(np.mean([brier(p, targets) for p in many]))
    assert result.nll.n == result.mce.n == 4
    assert result.reliability.count.sum().item() == 4 * 300
