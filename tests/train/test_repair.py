"""The contract's defaults are training as it is."""

import torch

from holdfast.core.catalogue import catalogue, make
from holdfast.core.records import Edit
from holdfast.data.base import Task
from holdfast.models.base import Run
from holdfast.train.repair import Nothing, Repair
from tests.train.tiny import Bag, tiny


def test_the_catalogue_has_them():
    assert list(catalogue("repairs")) == ["aswa", "naswa", "none", "swa"]
    assert make("repairs", "none") == Nothing()


def test_a_plain_subclass_changes_nothing():
    class Plain(Repair):
        pass

    repair, weights = Plain(), {"w": torch.ones(2)}
    assert repair.begin(weights, Task(0, ("no", "yes"))) == {}
    assert repair.step(weights, {}, torch.tensor(1)) == {}
    assert repair.turn(weights, {}, 1, 2) == (weights, {})
    assert repair.outcome(weights, {}, 1, 2) is weights
    assert repair.rate(1, 2) == 1.0
    assert repair.stops
    assert repair.trains("w")
    assert repair.draws(tiny().split.batch(torch.arange(2))) == {}
    assert repair.finish(Run(Bag(), weights), tiny().split) is weights


def test_losses_are_the_models_own():
    batch, model = tiny().split.batch(torch.arange(5)), Bag()
    run = Run(model, {name: tensor.detach() + 0.5 for name, tensor in model.named_parameters()})
    assert torch.equal(Nothing().losses(run, batch, {}, {}), run.losses(batch, Edit()))
