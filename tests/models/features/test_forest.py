import numpy as np
import pytest
import torch
from sklearn.ensemble import RandomForestClassifier

from holdfast.core.errors import BadSetting, Failed
from holdfast.core.records import Member
from holdfast.explain.shapley import Shapley
from holdfast.models.base import TEMPERATURE
from holdfast.models.features.forest import Forest
from holdfast.models.run import Run
from holdfast.train.family import Family
from tests.models.features.cases import first_seed, numbers, table


@pytest.mark.parametrize("classes", [2, 3])
def test_it_is_scikit_learns_own(classes):
    data = table(classes)
    learner = RandomForestClassifier(8, max_leaf_nodes=10, random_state=first_seed()).fit(
        numbers(data, "train"), data.splits["train"].classes.numpy()
    )
    family = Family.fit(Forest(trees=8, leaves=10), data, [Member(0)])
    ours = family.logits(data.splits["test"])[0].softmax(-1).numpy()
    assert np.abs(ours - learner.predict_proba(numbers(data, "test"))).max() < 1e-6


def test_what_is_explained_is_a_probability_which_the_values_share_out():
    data = table(3)
    family = Family.fit(Forest(trees=4, leaves=6), data, [Member(0)])
    rows, target = torch.arange(5), torch.tensor([0, 1, 2, 0, 1])
    scores = family.explain(Shapley(), data.splits["test"], rows, target).scores[0]
    mine = family.logits(data.splits["test"], rows)[0].softmax(-1)
    run, behind = family.run(0), data.task.columns.background
    split = type(data.splits["test"])(behind, torch.zeros(len(behind), dtype=torch.long))
    mean = run(split.batch(torch.arange(len(behind)))).logits.softmax(-1).mean(0)
    assert torch.allclose(scores.sum(1), (mine - mean).gather(1, target[:, None])[:, 0], atol=1e-6)


def test_with_a_temperature_the_exact_values_are_refused():
    data = table()
    family = Family.fit(Forest(trees=2, leaves=4), data, [Member(0)])
    warm = Run(family.model, family.parameters_of(Member(0)) | {TEMPERATURE: torch.tensor(2.0)})
    with pytest.raises(Failed, match=r"choose shapley:of=probability$"):
        Shapley().scores(warm, data.splits["test"].batch(torch.tensor([0])), torch.tensor([0]))


@pytest.mark.parametrize("settings", [{"leaves": 63}, {"leaves": 1}, {"trees": 0}, {"least": 0}])
def test_settings_out_of_bounds_are_refused(settings):
    with pytest.raises(BadSetting, match=r"^forest: expected"):
        Forest(**settings)
