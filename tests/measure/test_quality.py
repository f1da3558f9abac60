from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score, roc_auc_score

from holdfast.core.errors import TooFewMembers
from holdfast.measure.quality import (
    accuracy,
    deviation,
    deviation_by_confidence,
    f1,
    macro_f1,
    mean_deviation,
    quality,
    roc_auc,
)
from tests.reference import measure as reference


def predictions(members=3, n=60, classes=2, seed=0):
    draw = torch.Generator().manual_seed(seed)
    # Coarse, so that equal probabilities are common.
    p = torch.randint(1, 6, (members, n, classes), generator=draw).double()
    return p / p.sum(-1, keepdim=True), torch.randint(classes, (n,), generator=draw)


@given(classes=st.integers(2, 4), seed=st.integers(0, 99))
def test_sklearn_agrees(classes, seed):
    p, targets = predictions(classes=classes, seed=seed)
    guess, truth = p.argmax(-1).numpy(), targets.numpy()
    assert accuracy(p, targets).tolist() == pytest.approx([accuracy_score(truth, g) for g in guess])
    assert macro_f1(p, targets).tolist() == pytest.approx(
        [f1_score(truth, g, average="macro") for g in guess]
    )
    each = [f1_score(truth, g, average=None, labels=range(classes)) for g in guess]
    assert f1(p, targets).numpy() == pytest.approx(np.stack(each))
    scores = [q[:, 1] if classes == 2 else q for q in p.numpy()]
    expected = [roc_auc_score(truth, s, multi_class="ovr") for s in scores]
    assert roc_auc(p, targets).tolist() == pytest.approx(expected)


def test_the_area_is_the_naive_one():
    p, targets = predictions(members=1)
    assert roc_auc(p[0], targets).item() == pytest.approx(
        reference.auc(p[0, :, 1].tolist(), targets.tolist())
    )


def test_spread_over_members():
    p, targets = predictions(members=5)
    result = quality(p, targets)
    each = accuracy(p, targets).numpy()
    assert (result.accuracy.mean, result.accuracy.sd) == pytest.approx((each.mean(), each.std(ddof=1)))
    assert result.accuracy.low < result.accuracy.mean < result.accuracy.high
    assert result.macro_f1.n == result.roc_auc.n == 5
    assert [each.mean for each in result.f1.values()] == pytest.approx(f1(p, targets).mean(0).tolist())
    assert list(result.f1) == [0, 1]


def test_one_class_only_has_no_area():
    p, _ = predictions()
    assert quality(p, torch.zeros(60, dtype=torch.long)).roc_auc is None
    sure, first = torch.tensor([[0.9, 0.1]]), torch.tensor([0])
    assert f1(sure, first).tolist() == pytest.approx([1.0, np.nan], nan_ok=True)
    assert macro_f1(sure, first).item() == 1.0


def test_torchmetrics_agrees_on_f1():
    from torchmetrics.functional.classification import multiclass_f1_score

    p, targets = predictions(classes=3)
    for member, mean, each in zip(p, macro_f1(p, targets), f1(p, targets), strict=True):
        peer = partial(multiclass_f1_score, member.argmax(-1), targets, num_classes=3)
        assert mean.item() == pytest.approx(peer(average="macro").item(), rel=1e-5)
        assert each.tolist() == pytest.approx(peer(average="none").tolist(), rel=1e-5)


def test_f1_does_not_depend_on_the_order_of_the_classes():
    """In alphabetical order "bad" is class 0; called "poor", after "good", it would be class 1."""
    p, targets = predictions(seed=1)
    p = p + torch.tensor([0.001, 0.0])  # no ties, which go to the first class
    turned, other = p.flip(-1), 1 - targets
    assert torch.equal(f1(p, targets), f1(turned, other).flip(-1))
    assert torch.allclose(macro_f1(p, targets), macro_f1(turned, other))
    assert not torch.allclose(f1(p, targets)[:, 1], f1(turned, other)[:, 1])


def test_a_class_that_never_occurs_is_left_out():
    p, targets = predictions(classes=3)
    wider = torch.cat((p * 0.999, torch.full((3, 60, 1), 1e-3)), -1)
    assert torch.allclose(macro_f1(wider, targets), macro_f1(p, targets))
    assert torch.allclose(f1(wider, targets)[:, :3], f1(p, targets))
    assert list(quality(wider, targets).f1) == [0, 1, 2]
    assert torch.allclose(roc_auc(wider, targets), roc_auc(p, targets))


def test_deviation_is_the_sample_standard_deviation():
    p = torch.rand(4, 7)
    assert deviation(p).numpy() == pytest.approx(p.double().numpy().std(0, ddof=1))
    with pytest.raises(TooFewMembers, match=r"^deviation needs at least two members, but got 1$"):
        deviation(p[:1])


def test_deviation_by_confidence_has_an_interval_over_members():
    p = torch.rand(5, 200, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    deviations = deviation_by_confidence(p)
    for bin, interval in deviations:
        chosen = p[:, bin.mask].numpy()
        expected = reference.jackknife(
            list(range(5)), lambda kept, chosen=chosen: float(np.std(chosen[kept], axis=0, ddof=1).mean())
        )
        assert (interval.value, interval.low, interval.high) == pytest.approx(expected)
    assert sum(int(bin.mask.sum()) for bin, _ in deviations) == 200
    assert mean_deviation(p[:2]).low is None
