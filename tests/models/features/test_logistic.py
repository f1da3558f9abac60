import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression

from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.explain.gradient_input import GradientInput
from holdfast.explain.shapley import Shapley
from holdfast.models.features.logistic import Logistic
from holdfast.train.family import Family
from tests.models.features.cases import numbers, table


@pytest.mark.parametrize("classes", [2, 3])
def test_it_is_scikit_learns_own(classes):
    data = table(classes)
    learner = LogisticRegression(C=0.3, max_iter=10_000).fit(
        numbers(data, "train"), data.splits["train"].classes.numpy()
    )
    family = Family.fit(Logistic(c=0.3), data, [Member(0), Member(1)])
    ours = family.logits(data.splits["test"]).softmax(-1).numpy()
    assert np.abs(ours - learner.predict_proba(numbers(data, "test"))).max() < 1e-5
    assert torch.equal(family.parameters["weight"][0], family.parameters["weight"][1])


def test_values_are_the_weights_times_what_a_row_has_above_the_background():
    data = table()
    family = Family.fit(Logistic(), data, [Member(0)])
    rows, target = torch.arange(4), torch.ones(4, dtype=torch.long)
    values = family.explain(Shapley(), data.splits["test"], rows, target).scores[0]
    product = family.explain(GradientInput(), data.splits["test"], rows, target).scores[0]
    run = family.run(0)
    background = data.splits["train"].batch(torch.arange(8))  # the table's first rows
    assert torch.equal(background.inputs, data.task.columns.background)
    of_background = GradientInput().scores(run, background, torch.ones(8, dtype=torch.long))
    assert torch.allclose(values, product - of_background.mean(0), atol=1e-5)


def test_a_regularisation_of_nothing_is_refused():
    with pytest.raises(BadSetting, match=r"^logistic: expected c to be above 0 and finite, but got 0.0$"):
        Logistic(c=0.0)
