"""Two intervals: what another seed would give, and what other test examples would."""

import pytest
import torch

from holdfast.measure.calibration import ace, brier, ece, mce, nll, overconfidence, reliability
from holdfast.measure.miscalibration import miscalibration
from tests.measure.test_calibration import predictions

OF_CURVE = {"ece": ece, "mce": mce, "overconfidence": overconfidence}
OF_ANSWERS = {"ace": ace, "nll": nll, "brier": brier}


@pytest.mark.parametrize("classes", [2, 3])
def test_members_are_measured_one_by_one(classes):
    many = torch.stack([predictions(seed=seed, classes=classes)[0] for seed in range(4)])
    targets = predictions(classes=classes)[1]
    measured = miscalibration(many, targets)
    for name, measure in OF_CURVE.items():
        each = [measure(reliability(p, targets)) for p in many]
        assert measured[name].members.values == pytest.approx(each, abs=1e-12), name
    for name, measure in OF_ANSWERS.items():
        each = [measure(p, targets) for p in many]
        assert measured[name].members.values == pytest.approx(each, abs=1e-12), name
        assert measured[name].examples.value == pytest.approx(sum(each) / 4)


def test_the_same_members_leave_the_error_of_the_examples():
    p, targets = predictions()
    measured = miscalibration(torch.stack([p] * 3), targets)["nll"]
    assert measured.members.sd == pytest.approx(0.0, abs=1e-12)
    losses = -p.gather(1, targets[:, None]).log()
    width = measured.examples.high - measured.examples.low
    assert width == pytest.approx(2 * 1.96 * float(losses.std()) / len(p) ** 0.5, rel=0.15)


def test_every_interval_contains_its_value_and_is_the_same_again():
    p, targets = predictions(n=40)
    first, again = (miscalibration(p[None].repeat(2, 1, 1), targets) for _ in range(2))
    for name, one in first.items():
        assert one.examples.low <= one.examples.value <= one.examples.high, name
        assert one == again[name]


def test_answers_of_one_example_are_drawn_together():
    """Twenty answers for each example, all alike, say no more than one."""
    p, targets = predictions(n=60)
    alone = miscalibration(p[None], targets)["brier"].examples
    rows = p.repeat_interleave(20, 0)[None], targets.repeat_interleave(20)
    together = miscalibration(*rows, examples=60)["brier"].examples
    assert (together.low, together.high) == pytest.approx((alone.low, alone.high))


def test_where_answers_are_no_classes_there_is_no_ace():
    p, targets = predictions()
    assert list(miscalibration(p[None], targets, classes=False)) == [
        "ece", "overconfidence", "mce", "nll", "brier",
    ]  # fmt: skip
