from itertools import permutations

import numpy as np
import pytest
import torch
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier

from holdfast.core.catalogue import make
from holdfast.core.records import Member
from holdfast.models.features.tree_shapley import tree_shapley, weights
from holdfast.train.family import Family
from tests.models.features.cases import first_seed, numbers, table
from tests.models.features.test_words import stumps


def test_weights_are_shares_of_the_orders():
    """Of a columns that must come and c that must not, how often each is the last to come, or the first."""
    joins, loses = weights(3)
    for a, c in [(1, 0), (2, 0), (1, 1), (2, 1), (1, 2)]:
        orders = list(permutations(range(a + c)))  # the first a must be there
        last = [order for order in orders if order[a - 1] == 0 and set(order[:a]) == set(range(a))]
        assert float(joins[a, c]) == len(last) / len(orders)
        if c:
            first = [order for order in orders if set(order[:a]) == set(range(a)) and order[a] == a]
            assert float(loses[a, c]) == len(first) / len(orders)


def test_a_sum_of_stumps_is_shared_out_by_their_columns():
    trees = stumps()
    rows = torch.tensor([[[0.5], [2.5]]])
    behind = torch.tensor([[[0.6], [1.0]], [[0.1], [1.0]]])
    every = torch.ones(1, 2, dtype=torch.bool)
    own, others = trees.by_column(rows), trees.by_column(behind)
    assert tree_shapley(trees, 1, own, others, every)[0, :, 0].tolist() == [1.0 - 1.5, 20.0 - 10.0]
    holes = torch.tensor([[True, False]])
    assert tree_shapley(trees, 1, own, others, holes)[0, :, 0].tolist() == [-0.5, 0.0]


def fitted(text, learner, classes):
    data = table(classes, sizes=(1,) * 7)
    learner.fit(numbers(data, "train"), data.splits["train"].classes.numpy())
    return data, Family.fit(make("models", text), data, [Member(0)]), learner


ROWS, TARGET = torch.arange(6), torch.tensor([0, 1, 1, 0, 1, 0])


def of_target(values):
    """Values for each class as those of what is explained: of the class, less the mean of the others."""
    own = values[np.arange(len(values)), :, TARGET.numpy()]
    return own - (values.sum(-1) - own) / (values.shape[-1] - 1)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("classes", [2, 3])
def test_boosted_trees_have_the_values_of_shap(classes):
    import shap

    learner = HistGradientBoostingClassifier(max_iter=10, max_leaf_nodes=8, random_state=first_seed())
    data, family, learner = fitted("hgb:trees=10,leaves=8", learner, classes)
    background, rows = data.task.columns.background.numpy(), numbers(data, "test")[:6]
    ours = family.explain(make("explainers", "shapley"), data.splits["test"], ROWS, TARGET).scores[0]
    if classes == 2:
        tree = np.array(shap.TreeExplainer(learner, background).shap_values(rows))
        assert np.abs(ours.numpy() - np.where(TARGET.numpy()[:, None] == 1, tree, -tree)).max() < 1e-5
    kernel = shap.KernelExplainer(learner.decision_function, background)
    values = np.array(kernel.shap_values(rows, nsamples=2**7, silent=True, l1_reg=False))
    wide = np.stack([np.zeros_like(values), values], -1) if classes == 2 else values
    assert np.abs(ours.numpy() - of_target(wide)).max() < 1e-5
    text = "shapley:of=probability"
    ours = family.explain(make("explainers", text), data.splits["test"], ROWS, TARGET).scores[0]
    kernel = shap.KernelExplainer(learner.predict_proba, background)
    values = np.array(kernel.shap_values(rows, nsamples=2**7, silent=True, l1_reg=False))
    assert np.abs(ours.numpy() - values[np.arange(6), :, TARGET.numpy()]).max() < 1e-5


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("classes", [2, 3])
def test_forests_have_the_values_of_shap(classes):
    import shap

    learner = RandomForestClassifier(10, max_leaf_nodes=12, random_state=first_seed())
    data, family, learner = fitted("forest:trees=10,leaves=12", learner, classes)
    background, rows = data.task.columns.background.numpy(), numbers(data, "test")[:6]
    ours = family.explain(make("explainers", "shapley"), data.splits["test"], ROWS, TARGET).scores[0].numpy()
    tree = np.array(shap.TreeExplainer(learner, background).shap_values(rows))
    assert np.abs(ours - tree[np.arange(6), :, TARGET.numpy()]).max() < 1e-4  # shap's thresholds are rounded
    kernel = shap.KernelExplainer(learner.predict_proba, background)
    values = np.array(kernel.shap_values(rows, nsamples=2**7, silent=True, l1_reg=False))
    assert np.abs(ours - values[np.arange(6), :, TARGET.numpy()]).max() < 1e-5
