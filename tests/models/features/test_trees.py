import numpy as np
import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.models.features.trees import _rounded_down
from holdfast.train.family import Family
from tests.models.features.cases import table


def test_thresholds_are_rounded_so_that_rows_stay_on_their_side():
    exact = np.array([0.1, 1 / 3, -0.1, 0.5])
    down = _rounded_down(exact)
    assert (down.astype(np.float64) <= exact).all()
    assert (np.nextafter(down, np.float32(np.inf)).astype(np.float64) > exact).all()


def test_gradients_say_nothing_of_steps():
    data = table()
    family = Family.fit(make("models", "hgb:trees=2"), data, [Member(0)])
    for name in ("gradient", "integrated_gradients"):
        with pytest.raises(
            BadSetting, match=r"^expected a model with gradients, but got trees, which are made of"
        ):
            family.explain(
                make("explainers", name), data.splits["test"], torch.tensor([0]), torch.tensor([0])
            )


def test_before_training_trees_say_nothing():
    data = table()
    family = Family.init(make("models", "forest:trees=3"), data.task, [Member(0)])
    assert not family.logits(data.splits["test"]).any()
