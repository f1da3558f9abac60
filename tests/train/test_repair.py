"""The defaults are training as it is; every hook works for one member, many stacked, and resumed."""

from dataclasses import replace

import pytest
import torch

from holdfast.core.catalogue import catalogue, make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Edit
from holdfast.core.settings import label
from holdfast.data.base import Task
from holdfast.models.run import Run
from holdfast.train.checkpoint import Checkpoint
from holdfast.train.evaluate import logits
from holdfast.train.family import template
from holdfast.train.folds import own_tasks
from holdfast.train.loop import train
from holdfast.train.repair import Nothing, Repair
from tests.repair.toys import TOYS, Clipped, Frozen, Sharpened, Tethered
from tests.train.cases import MEMBERS, assert_same, both, doubles, fit_of, learning
from tests.train.test_checkpoint import Killed, kill_after
from tests.train.tiny import Bag, tiny

CNN = "cnn:filters=4,dim=8,dropout=0.2"
FIT = fit_of("adam:lr=0.01,weight_decay=0.1", epochs=3, batch=32)


def test_the_catalogue_has_them():
    assert list(catalogue("repairs")) == [
        "aswa", "attention_at", "attention_iat", "attention_rp", "balanced_sampling", "class_balanced",
        "even_attention", "frozen_attention", "naswa", "none", "pretrained", "seat", "swa", "temperature",
        "word_at", "word_iat"
    ]  # fmt: skip
    assert make("repairs", "none") == Nothing()


def test_a_plain_subclass_changes_nothing():
    class Plain(Repair):
        pass

    repair, weights = Plain(), {"w": torch.ones(2)}
    assert repair.begin(weights, Task(0, ("no", "yes"))) == {}
    assert repair.step(weights, {}, torch.tensor(1)) == (weights, {})
    assert repair.turn(weights, {}, 1, 2) == (weights, {})
    assert repair.outcome(weights, {}, 1, 2) is weights
    assert repair.rate(1, 2) == 1.0
    assert repair.stops
    assert repair.trains("w")
    assert not repair.balances
    assert repair.chances(Task(0, ("no", "yes"), counts=(3, 1))) == ()
    assert repair.negatives(4) == 4
    assert repair.draws(tiny().split.batch(torch.arange(2))) == {}
    assert repair.finish(Run(Bag(), weights), tiny().split) is weights


def test_losses_are_the_models_own():
    batch, model = tiny().split.batch(torch.arange(5)), Bag()
    run = Run(model, {name: tensor.detach() + 0.5 for name, tensor in model.named_parameters()})
    assert torch.equal(Nothing().losses(run, batch, {}, {}), run.losses(batch, Edit()))


def trained(planted, repair, members=1, fit=FIT, **settings):
    start = {name: tensor[:members] for name, tensor in doubles(CNN, planted.task).items()}
    network = template(make("models", CNN), planted.task)
    return train(network, learning(start, repair), planted, MEMBERS[:members], fit, repair, **settings)


@pytest.fixture(scope="module", params=TOYS, ids=label)
def undisturbed(planted, request):
    """A repair, members trained together with it, and each trained alone."""
    return request.param, *both(CNN, planted, FIT, request.param)


@pytest.fixture(scope="module")
def plain(planted):
    """The first member, trained without a repair."""
    (one,) = trained(planted, Nothing())
    return one


def test_members_train_together_as_each_does_alone(undisturbed):
    _, together, alone = undisturbed
    assert_same(together, alone)


@pytest.mark.parametrize("members", [1, 3])
def test_a_killed_training_goes_on_bit_for_bit(planted, tmp_path, undisturbed, members):
    repair, together, alone = undisturbed
    kept = Checkpoint(tmp_path / "chunk.safetensors", seconds=0.0)
    with pytest.raises(Killed):
        trained(planted, repair, members, listen=kill_after(1), checkpoint=kept)
    resumed = trained(planted, repair, members, checkpoint=Checkpoint(kept.path, seconds=0.0))
    for one, other in zip(together if members == 3 else alone[:1], resumed, strict=True):
        assert (one.best, one.history, one.why) == (other.best, other.history, other.why)
        for name, tensor in one.parameters.items():
            assert torch.equal(tensor, other.parameters[name]), name


def test_it_is_another_training_than_without(undisturbed, plain):
    _, _, (one, *_) = undisturbed
    assert any(not torch.equal(tensor, plain.parameters[name]) for name, tensor in one.parameters.items())


@pytest.mark.parametrize("members", [1, 3])
def test_what_does_not_train_stays_bit_for_bit(planted, members):
    start = doubles(CNN, planted.task)
    fit = replace(FIT, decay_embeddings=True)
    for m, one in enumerate(trained(planted, Frozen(), members, fit)):
        for name, tensor in one.parameters.items():
            assert torch.equal(tensor, start[name][m]) == name.startswith(("embedding", "temperature")), name


def test_a_step_is_given_only_what_trains(planted):
    class Both(Frozen):
        """Everything but the embeddings shrinks."""

        def step(self, parameters, memory, t):
            assert not any(name.startswith(("embedding", "temperature")) for name in parameters)
            return {name: tensor * 0.9 for name, tensor in parameters.items()}, memory

    start, fit = doubles(CNN, planted.task), fit_of("sgd:lr=1e-300", epochs=1, batch=160)
    for m, one in enumerate(trained(planted, Both(), 3, fit)):
        for name, tensor in one.parameters.items():
            stays = name.startswith(("embedding", "temperature"))
            assert torch.equal(tensor, start[name][m]) == stays, name


def test_a_step_moves_no_member_that_stopped_or_diverged(planted):
    """Beside members that go on longer, each ends with the weights with which it ends alone."""
    start = doubles(CNN, planted.task)
    start["head.weight"][1] = torch.nan
    fit = fit_of("adam:lr=0.02", epochs=6, batch=8, patience=1, snapshots=3)
    together, alone = both(CNN, planted, fit, Clipped(), start)
    assert [one.why is None for one in together] == [True, False, True]
    assert together[0].best != together[2].best, "both stopped after the same epoch: nothing was tested"
    for one, other in zip(together, alone, strict=True):
        assert (one.best, one.why, len(one.history)) == (other.best, other.why, len(other.history))
        torch.testing.assert_close(one.parameters, other.parameters, rtol=1e-9, atol=1e-9, equal_nan=True)
    for name, tensor in together[1].parameters.items():
        assert torch.equal(tensor.nan_to_num(), start[name][1].nan_to_num()), name


class Idle(Repair):
    def trains(self, name):
        return False


def test_a_repair_that_trains_nothing_is_refused(planted):
    with pytest.raises(BadSetting) as caught:
        trained(planted, Idle())
    assert str(caught.value) == "idle: expected at least one tensor to train, but trains says no to every one"


def test_a_member_knows_the_classes_that_it_trains_on():
    class Few:
        targets = torch.tensor([0, 0, 1, 0, 2, 1])

    task = Task(9, ("a", "b", "c", "d"))
    whole = own_tasks(task, Few(), MEMBERS, None)
    assert [own.counts for own in whole] == [(3, 2, 1, 0)] * 3
    folds = own_tasks(task, Few(), MEMBERS[:2], torch.tensor([[0, 1, 2], [3, 4, 5]]))
    assert [own.counts for own in folds] == [(2, 1, 0, 0), (1, 1, 1, 0)]
    assert own_tasks(Task(9, (), length=4), Few(), MEMBERS, None)[0].counts == ()


@pytest.mark.parametrize("members", [1, 3])
def test_the_losses_see_the_memory_of_the_epoch_before(planted, members):
    """Held so hard that nothing moves, the weights stay near the first ones."""
    start, fit = doubles(CNN, planted.task), fit_of("sgd:lr=0.001,weight_decay=0", epochs=3, last=True)
    ways = []
    for pull in (0.0, 50.0):
        ends = trained(planted, Tethered(pull), members, fit)
        ways.append([_way(one.parameters, start, m) for m, one in enumerate(ends)])
    assert all(held < free for free, held in zip(*ways, strict=True))


def _way(parameters, start, m):
    return float(sum((tensor - start[name][m]).square().sum() for name, tensor in parameters.items()))


@pytest.mark.parametrize("members", [1, 3])
def test_the_finished_weights_are_those_that_fit_the_validation_split_best(planted, members):
    network, split = template(make("models", CNN), planted.task), planted.splits["validation"]
    plain, finished = trained(planted, Nothing(), members), trained(planted, Sharpened((1.0, 3.0)), members)
    for one, other in zip(plain, finished, strict=True):
        before, after = (
            torch.nn.functional.cross_entropy(logits(network, own.parameters, split), split.targets)
            for own in (one, other)
        )
        assert after <= before
        assert (one.best, one.history) == (other.best, other.history)


class Bursts(Sharpened):
    def finish(self, run, validation):
        return {name: tensor / 0 for name, tensor in run.parameters.items()}


def test_a_member_that_breaks_after_training_is_left_out(planted):
    for one in trained(planted, Bursts(), members=3):
        assert one.why == "after training, its weights are no longer finite numbers"
