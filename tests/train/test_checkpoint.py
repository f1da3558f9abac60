"""A killed chunk goes on from its last epoch, and ends where it would have ended."""

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.records import Member
from holdfast.train.checkpoint import Checkpoint
from holdfast.train.family import template
from holdfast.train.loop import train
from tests.train.cases import MEMBERS, doubles, fit_of, only

CNN = "cnn:filters=4,dim=8,dropout=0.2"


class Killed(Exception):
    """Stands in for the end of the process."""


def kill_after(epoch):
    def listen(progress):
        if progress.epoch == epoch + 1:
            raise Killed

    return listen


@pytest.mark.parametrize("members", [1, 3])
@pytest.mark.parametrize(
    ("optimiser", "repair"),
    [("adam", "none"), ("sgd", "swa:start=0.4"), ("adagrad", "aswa"), ("adam", "naswa")],
)
def test_training_goes_on_bit_for_bit(planted, tmp_path, members, optimiser, repair):
    own, fit = MEMBERS[:members], fit_of(optimiser, epochs=5, batch=32, patience=2)
    start = doubles(CNN, planted.task) if members > 1 else only(doubles(CNN, planted.task), 0)
    network, repair_settings = template(make("models", CNN), planted.task), make("repairs", repair)
    undisturbed = train(network, start, planted, own, fit, repair_settings)
    kept, heard = Checkpoint(tmp_path / "chunk.safetensors", seconds=0.0), []
    with pytest.raises(Killed):
        train(network, start, planted, own, fit, repair_settings, kill_after(2), kept)
    again = Checkpoint(kept.path, seconds=0.0)
    resumed = train(
        network, start, planted, own, fit, repair_settings, lambda p: heard.append(p.epoch), again
    )
    assert heard[0] == 3, "what was done was done again"
    for one, other in zip(undisturbed, resumed, strict=True):
        assert (one.member, one.best, one.history, one.why) == (
            other.member,
            other.best,
            other.history,
            other.why,
        )
        assert torch.equal(one.path, other.path)
        for name, tensor in one.parameters.items():
            assert torch.equal(tensor, other.parameters[name]), name


def test_other_members_start_over(planted, tmp_path):
    network, fit, kept = template(make("models", CNN), planted.task), fit_of(epochs=3), None
    start, nothing = doubles(CNN, planted.task), make("repairs", "none")
    kept, heard = Checkpoint(tmp_path / "chunk.safetensors", seconds=0.0), []
    with pytest.raises(Killed):
        train(network, start, planted, MEMBERS, fit, nothing, kill_after(1), kept)
    others = (Member(0), Member(1), Member(5))
    train(network, start, planted, others, fit, nothing, lambda p: heard.append(p.epoch), kept)
    assert heard == [1, 2, 3]


def test_other_tensors_start_over(planted, tmp_path):
    """As those of a member that was saved without its temperature."""
    network, fit = template(make("models", CNN), planted.task), fit_of(epochs=3)
    start, nothing = doubles(CNN, planted.task), make("repairs", "none")
    fewer = {name: tensor for name, tensor in start.items() if name != "temperature"}
    kept, heard = Checkpoint(tmp_path / "chunk.safetensors", seconds=0.0), []
    with pytest.raises(Killed):
        train(network, fewer, planted, MEMBERS, fit, nothing, kill_after(1), kept)
    train(network, start, planted, MEMBERS, fit, nothing, lambda p: heard.append(p.epoch), kept)
    assert heard == [1, 2, 3]


def test_a_member_that_diverged_before_the_kill_is_still_named(planted, tmp_path):
    start, nothing, kept = (
        doubles(CNN, planted.task),
        make("repairs", "none"),
        Checkpoint(tmp_path / "c", 0.0),
    )
    start["encoder.taps"][1] = 1e308
    network, fit = template(make("models", CNN), planted.task), fit_of(epochs=4)
    with pytest.raises(Killed):
        train(network, start, planted, MEMBERS, fit, nothing, kill_after(2), kept)
    resumed = train(network, start, planted, MEMBERS, fit, nothing, checkpoint=kept)
    assert [one.why is None for one in resumed] == [True, False, True]
    assert len(resumed[1].history) == 1


def test_what_was_saved_comes_back(tmp_path):
    kept = Checkpoint(tmp_path / "deep" / "chunk.safetensors")
    assert kept.load() is None
    kept.save({"a": torch.arange(3)}, {"epoch": 4})
    tensors, about = kept.load()
    assert tensors["a"].tolist() == [0, 1, 2]
    assert about["epoch"] == 4
    kept.drop()
    assert kept.load() is None
    assert list(kept.path.parent.iterdir()) == []
    kept.drop()


def test_it_is_due_now_and_then(tmp_path):
    assert Checkpoint(tmp_path / "a", seconds=0.0).due
    assert not Checkpoint(tmp_path / "a", seconds=60.0).due
    late = Checkpoint(tmp_path / "a", seconds=60.0, written=-(10.0**9))
    assert late.due
    late.save({"a": torch.ones(1)}, {})
    assert not late.due


@pytest.mark.parametrize("broken", ["chunk.json", "chunk.safetensors"])
@pytest.mark.parametrize("content", [b"", b"[]", b"nonsense"])
def test_what_is_damaged_does_not_count(tmp_path, broken, content):
    kept = Checkpoint(tmp_path / "chunk.safetensors")
    kept.save({"a": torch.arange(3)}, {"epoch": 4})
    (tmp_path / broken).write_bytes(content)
    assert kept.load() is None
