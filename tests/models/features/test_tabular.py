"""Every model of tables keeps the contract, reads a row as its documentation says, and fills holes from the
background."""

import numpy as np
import pytest
import torch

from holdfast.core.catalogue import catalogue, make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.data.base import Task
from holdfast.explain.leave_one_out import LeaveOneOut
from holdfast.explain.lrp import Lrp
from holdfast.explain.permutation import Permutation
from holdfast.explain.shapley import Shapley
from holdfast.models.features.tabular import columns_of
from holdfast.models.run import Run
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, check_model, example
from holdfast.train.family import Family
from tests.models.features.cases import table, task
from tests.reference import features as naive

SMALL = ("forest:trees=4,leaves=6", "hgb:trees=4,leaves=5", "logistic", "mlp:hidden=5")


def test_these_are_all_models_of_tables():
    every = [name for name, cls in catalogue("models").items() if "features" in cls.reads]
    assert every == [name.partition(":")[0] for name in SMALL]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("text", SMALL)
def test_models_keep_the_contract(text, classes):
    check_model(make("models", text), task(classes))


@pytest.mark.parametrize("explainer", [Shapley(), LeaveOneOut(), Permutation(rows=3)], ids=str)
@pytest.mark.parametrize("text", SMALL)
def test_explainers_keep_theirs_on_each(text, explainer):
    check_explainer(explainer, make("models", text), task())


@pytest.mark.parametrize("name", ["gradient", "gradient_input", "integrated_gradients"])
@pytest.mark.parametrize("text", ["logistic", "mlp:hidden=5"])
def test_gradients_tell_of_models_that_have_some(text, name):
    check_explainer(make("explainers", name), make("models", text), task(3))


def member(text: str, classes: int):
    """A fitted member, its data, and what it explains of a class, as a function of rows of numbers."""
    data = table(classes)
    family = Family.fit(make("models", text), data, [Member(0)])
    run, split = family.run(0), data.splits["test"]

    def explained(target: int):
        def function(rows: np.ndarray) -> np.ndarray:
            batch = split.batch(torch.zeros(len(rows), dtype=torch.long))
            inputs = torch.tensor(rows, dtype=torch.float32)
            logits = run(type(batch)(inputs, batch.mask)).logits
            return run.explained(logits, torch.full((len(rows),), target)).double().numpy()

        return function

    return family, data, explained


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("text", SMALL)
def test_scores_are_those_of_their_definitions(text, classes):
    family, data, explained = member(text, classes)
    background, rows = data.task.columns.background.double().numpy(), torch.tensor([1, 5])
    target = torch.tensor([1, classes - 1])
    wanted = {
        "shapley": naive.shapley,
        "leave_one_out": naive.leave_one_out,
        "permutation": naive.permutation,
    }
    for name, definition in wanted.items():
        scores = family.explain(make("explainers", name), data.splits["test"], rows, target).scores[0]
        for place, row in enumerate(rows.tolist()):
            own = data.splits["test"].values[row].double().numpy()
            function = explained(int(target[place]))
            right = definition(function, own, background)
            assert np.abs(scores[place].numpy() - right).max() < 2e-5 * max(1.0, np.abs(right).max()), name


def test_a_probability_is_averaged_as_one():
    family, data, _ = member("hgb:trees=4,leaves=5", 3)
    run, row = family.run(0), data.splits["test"].values[3]
    background = data.task.columns.background.double().numpy()

    def probability(rows):
        inputs = torch.tensor(rows, dtype=torch.float32)
        batch = data.splits["test"].batch(torch.zeros(len(rows), dtype=torch.long))
        return run(type(batch)(inputs, batch.mask)).logits.double().softmax(-1)[:, 2].numpy()

    scores = family.explain(
        Shapley(of="probability"), data.splits["test"], torch.tensor([3]), torch.tensor([2])
    ).scores[0, 0]
    right = naive.shapley(probability, row.double().numpy(), background)
    assert np.abs(scores.numpy() - right).max() < 1e-5


def test_what_is_explained_is_the_mean_log_odds_against_each_other_class():
    model = build(make("models", "mlp"), task(3))
    logits = torch.tensor([[1.0, 2.0, 6.0]])
    assert model.explained(logits, torch.tensor([1])).tolist() == [pytest.approx(((2 - 1) + (2 - 6)) / 2)]
    two = build(make("models", "mlp"), task(2))
    assert two.explained(torch.tensor([[0.0, 3.0]]), torch.tensor([0])).tolist() == [-3.0]


def test_the_average_row_is_zero():
    data = table()
    model = make("models", "mlp").build(data.task)
    rows = model.coded(data.splits["train"].values)
    categories = rows[:, [1, 3]].mean(0)
    assert categories.abs().max() < 1e-6
    new = data.splits["train"].values[:1].clone()
    new[0, 1] = -1.0  # a category that no training row has
    assert torch.allclose(model.coded(new)[0, 1], -data.task.columns.shares[1])


def test_relevance_rules_are_refused():
    model = build(make("models", "mlp"), task())
    batch = example(task())
    with pytest.raises(BadSetting, match=r"^relevance rules are not made for tables of features: choose"):
        Lrp().suits(Run(model, model.tensors()), batch, torch.zeros(5, dtype=torch.long))


def test_a_task_without_columns_is_refused():
    with pytest.raises(BadSetting, match=r"^expected a task of features, with columns, but got none$"):
        columns_of(Task(9, ("no", "yes")))
    with pytest.raises(
        BadSetting, match=r"^mlp: expected features data, but got text data: choose one of average"
    ):
        make("models", "mlp").build(Task(9, ("no", "yes")))
