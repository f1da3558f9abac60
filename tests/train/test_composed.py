"""Repairs joined by +: losses of one, averaging of another, alone, stacked and resumed."""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

from holdfast.core import catalogue as home
from holdfast.core.catalogue import catalogue, make
from holdfast.core.errors import BadSetting
from holdfast.core.settings import label
from holdfast.data.base import Task
from holdfast.repair.aswa import Aswa
from holdfast.repair.naswa import Naswa
from holdfast.repair.swa import Swa
from holdfast.testing.repair import check_repair
from holdfast.train.checkpoint import Checkpoint
from holdfast.train.composed import Composed
from holdfast.train.family import template
from holdfast.train.loop import train
from holdfast.train.repair import Repair
from tests.repair.toys import Balanced, Clipped, Frozen, Jitter, Sharpened, Student, Tethered
from tests.train.cases import MEMBERS, assert_same, both, doubles, fit_of, learning
from tests.train.test_checkpoint import Killed, kill_after

CNN, FIT = "cnn:filters=4,dim=8,dropout=0.2", fit_of("adam:lr=0.01", epochs=3, batch=32)
CLIPPED = Composed((Clipped(), Aswa()))
JOINED = [
    Composed((Jitter(), Aswa())),
    Composed((Naswa(), Tethered())),
    Composed((Balanced(), Swa(start=0.3), Sharpened())),
    Composed((Student(), Aswa())),
    CLIPPED,
]


def trained(planted, repair, members=3, **settings):
    start = {name: tensor[:members] for name, tensor in doubles(CNN, planted.task).items()}
    network = template(make("models", CNN), planted.task)
    return train(network, learning(start, repair), planted, MEMBERS[:members], FIT, repair, **settings)


def assert_equal(some, others):
    for one, other in zip(some, others, strict=True):
        assert (one.best, one.history, one.why) == (other.best, other.history, other.why)
        for name, tensor in one.parameters.items():
            assert torch.equal(tensor, other.parameters[name]), name


@pytest.mark.parametrize("repair", JOINED, ids=label)
def test_joined_repairs_keep_the_contract(repair):
    check_repair(repair)


@pytest.fixture(scope="module", params=JOINED, ids=label)
def undisturbed(planted, request):
    """A joined repair, members trained together with it, and each trained alone."""
    return request.param, *both(CNN, planted, FIT, request.param)


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
    assert_equal(together if members == 3 else alone[:1], resumed)


KILLED = """
import os, signal, sys
from pathlib import Path
from holdfast.data.source import Source, load
from holdfast.train.checkpoint import Checkpoint
from tests.train.test_composed import CLIPPED, trained

def listen(progress):
    if progress.epoch == 2:
        os.kill(os.getpid(), signal.SIGKILL)

data = load(Source("planted:train=160,validation=40,test=40"))
trained(data, CLIPPED, listen=listen, checkpoint=Checkpoint(Path(sys.argv[1]), seconds=0.0))
"""


def test_after_kill_9_it_goes_on_bit_for_bit(planted, tmp_path):
    path, heard = tmp_path / "chunk.safetensors", []
    places = os.pathsep.join([str(Path(__file__).parents[2]), *sys.path])
    killed = subprocess.run([sys.executable, "-c", KILLED, path], env=os.environ | {"PYTHONPATH": places})
    assert killed.returncode == -signal.SIGKILL
    kept = Checkpoint(path, seconds=0.0)
    resumed = trained(planted, CLIPPED, listen=lambda p: heard.append(p.epoch), checkpoint=kept)
    assert heard == [2, 3]
    assert_equal(trained(planted, CLIPPED), resumed)


@dataclass(frozen=True)
class ByHand(Aswa):
    """Both in one class."""

    def draws(self, batch):
        return Jitter().draws(batch)

    def losses(self, run, batch, noise, memory):
        return Jitter().losses(run, batch, noise, {})


def test_it_is_what_one_would_write_by_hand(planted):
    by_hand = trained(planted, ByHand())
    assert_equal(trained(planted, Composed((Jitter(), Aswa()))), by_hand)
    assert_equal(trained(planted, Composed((Aswa(), Jitter()))), by_hand)


def test_steps_follow_each_other_in_the_order_written():
    start, weights = {"w": torch.tensor([0.0, 0.0])}, {"w": torch.tensor([3.0, 4.0])}
    for parts, average in (((Clipped(1.0), Aswa()), [0.3, 0.4]), ((Aswa(), Clipped(1.0)), [1.5, 2.0])):
        repair = Composed(parts)
        number = parts.index(Aswa())
        after, memory = repair.step(weights, repair.begin(start, Task(0, ("no", "yes"))), torch.tensor(1))
        torch.testing.assert_close(after["w"], torch.tensor([0.6, 0.8]))
        torch.testing.assert_close(memory[f"{number}/w"], torch.tensor(average))
        assert int(memory[f"{1 - number}/outside"]) == 1


def test_what_one_of_them_wants_holds_for_all():
    both_of = Composed((Frozen(), Tethered()))
    assert not both_of.trains("embedding.weight")
    assert both_of.trains("head.bias")
    late = Composed((Jitter(), Swa(start=0.5, factor=0.1)))
    assert [late.rate(epoch, 4) for epoch in (1, 2, 3, 4)] == [1, 1, 0.1, 0.1]
    assert not late.stops
    assert (late.averages, late.changes_losses) == (True, True)


def test_they_are_written_with_a_plus(monkeypatch):
    known = catalogue("repairs") | {"jitter": Jitter}
    monkeypatch.setattr(home, "catalogue", lambda kind: known)
    found = make("repairs", "jitter:by=0.5+swa:start=0.25,factor=2")
    assert found == Composed((Jitter(by=0.5), Swa(start=0.25, factor=2.0)))
    assert label(found) == "jitter:by=0.5+swa:start=0.25,factor=2.0"
    assert make("repairs", label(found)) == found


@dataclass(frozen=True)
class AfterAswa(Repair):
    """Needs another member than a student does."""

    needs = "aswa"


def test_what_one_of_them_needs_they_need_together():
    assert Composed((Student(), Aswa())).needs == "none"
    assert Composed((Frozen(), Student())).needs == "none"
    assert Composed((Jitter(), Aswa())).needs is None


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (
            (Aswa(), Naswa(per="tensor")),
            "aswa+naswa:per=tensor: expected one repair at most that averages, "
            "but got aswa and naswa:per=tensor",
        ),
        (
            (Jitter(), Aswa(), Balanced()),
            "jitter+aswa+balanced: expected one repair at most that changes the losses, "
            "but got jitter and balanced",
        ),
        (
            (Student(), AfterAswa()),
            "student+after_aswa: expected one repair at most that needs another, "
            "but got student and after_aswa",
        ),
    ],
)
def test_two_that_do_the_same_are_refused(parts, message):
    with pytest.raises(BadSetting) as caught:
        Composed(parts)
    assert str(caught.value) == message


def test_nothing_is_joined_to_none():
    with pytest.raises(BadSetting) as caught:
        make("repairs", "none+aswa")
    assert str(caught.value) == "none+aswa: expected repairs that do something, but got none: leave it out"
