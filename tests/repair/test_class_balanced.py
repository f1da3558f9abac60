"""A loss that counts all classes alike."""

import pytest
import torch
import torch.nn.functional as F

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Edit
from holdfast.data.base import Task
from holdfast.models.run import Run
from holdfast.repair.class_balanced import ClassBalanced
from holdfast.testing.model import build, example


@pytest.mark.parametrize("model", ["cnn:filters=4,dim=3", "average:hidden=4,dim=3", "shallow"])
@pytest.mark.parametrize("counts", [(30, 10), (5, 20, 15)])
def test_every_loss_is_weighed_by_its_class(model, counts):
    task = Task(12, tuple(map(str, range(len(counts)))), counts=counts)
    network, batch = build(make("models", model), task, 0), example(task)
    run, repair = Run(network, network.tensors()), ClassBalanced()
    memory = repair.begin(network.tensors(), task)
    plain = run.losses(batch, Edit())
    for row, (loss, target) in enumerate(zip(plain, batch.targets.tolist(), strict=True)):
        expected = loss * sum(counts) / (len(counts) * counts[target])
        torch.testing.assert_close(repair.losses(run, batch, {}, memory)[row], expected)


def test_two_classes_have_the_documents_weights():
    (weights,) = (
        ClassBalanced().begin({"w": torch.zeros(1)}, Task(0, ("no", "yes"), counts=(80, 20))).values()
    )
    assert weights.tolist() == pytest.approx([100 / (2 * 80), 100 / (2 * 20)])
    assert float((weights * torch.tensor([80.0, 20.0])).sum()) == pytest.approx(100)


def test_a_class_without_examples_is_no_trouble():
    (weights,) = (
        ClassBalanced().begin({"w": torch.zeros(1)}, Task(0, ("a", "b", "c"), counts=(6, 3, 0))).values()
    )
    assert weights.isfinite().all()


def test_weights_are_those_of_cross_entropy():
    task = Task(12, ("no", "yes"))
    network, batch, weights = (
        build(make("models", "cnn:filters=4,dim=3"), task, 0),
        example(task),
        torch.tensor([0.5, 3.0]).double(),
    )
    each = network.losses(batch, weights=weights)
    whole = F.cross_entropy(network(batch).logits, batch.targets, weights)
    torch.testing.assert_close(each.sum() / weights[batch.targets].sum(), whole)


def test_data_without_classes_are_refused():
    with pytest.raises(BadSetting) as error:
        ClassBalanced().begin({"w": torch.zeros(1)}, Task(12, (), length=5))
    assert str(error.value) == (
        "class_balanced: expected classes with known counts, but these data have none: leave it out"
    )


@pytest.mark.parametrize("model", ["sasrec:dim=8", "bert4rec:dim=8", "gru4rec:dim=8"])
def test_a_recommender_has_no_classes_to_weigh(model):
    task = Task(12, (), length=5, sizes=(0, 1, 1))
    network = make("models", model).build(task)
    with pytest.raises(BadSetting) as error:
        network.losses(None, Edit(), torch.ones(2))
    assert str(error.value) == (
        "expected a model whose targets are classes for a loss with class weights, but this one predicts the "
        "next item: choose a classifier, or a model of pairs such as deepicf"
    )
