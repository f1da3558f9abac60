import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.models.features.hgb import Hgb
from holdfast.train.family import Family
from tests.models.features.cases import first_seed, numbers, table


@pytest.mark.parametrize("classes", [2, 3])
def test_it_is_scikit_learns_own(classes):
    data = table(classes)
    learner = HistGradientBoostingClassifier(
        max_iter=8, max_leaf_nodes=6, max_features=0.5, random_state=first_seed()
    ).fit(numbers(data, "train"), data.splits["train"].classes.numpy())
    family = Family.fit(Hgb(trees=8, leaves=6, columns=0.5), data, [Member(0)])
    ours = family.logits(data.splits["test"])[0].softmax(-1).numpy()
    assert np.abs(ours - learner.predict_proba(numbers(data, "test"))).max() < 1e-6


def test_stopping_early_leaves_trees_that_say_nothing():
    data = table(rows=10_100)
    family = Family.fit(Hgb(trees=400, leaves=4, rate=0.9), data, [Member(0)])
    values = family.parameters["value"][0]
    used = values.flatten(1).any(1)
    assert used.any()
    assert not used.all()
    assert not used[int(used.nonzero().max()) + 1 :].any()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"leaves": 63}, "hgb: expected leaves to be at most 62, but got 63"),
        ({"leaves": 1}, "hgb: expected leaves to be at least 2, but got 1"),
        ({"trees": 0}, "hgb: expected trees to be at least 1, but got 0"),
        ({"rate": 0.0}, "hgb: expected rate to be above 0 and at most 1, but got 0.0"),
        ({"l2": -1.0}, "hgb: expected l2 to be 0 or more and finite, but got -1.0"),
        ({"columns": 1.5}, "hgb: expected columns to be above 0 and at most 1, but got 1.5"),
    ],
)
def test_settings_out_of_bounds_are_refused(settings, said):
    with pytest.raises(BadSetting) as caught:
        Hgb(**settings)
    assert str(caught.value) == said
