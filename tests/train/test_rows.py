"""Rows lie where training reads them: the members' own on a leading axis, refilled in place. Of pairs only
negatives are the members' own."""

import pytest
import torch

from holdfast.core.records import Member
from holdfast.repair.aswa import Aswa
from holdfast.train.checkpoint import Checkpoint
from holdfast.train.family import initial, template
from holdfast.train.job import stack
from holdfast.train.loop import Loop, train
from holdfast.train.repair import Nothing
from holdfast.train.rows import drawn_rows, fixed_rows, gathered, refill
from holdfast.train.schedule import buckets
from tests.train.cases import MEMBERS, assert_same, fit_of, only
from tests.train.pair_toy import PairToy
from tests.train.test_checkpoint import Killed, kill_after
from tests.train.tiny import Words

CPU = torch.device("cpu")


def test_every_row_is_in_one_bucket(planted):
    split = planted.splits["train"]
    parts = buckets(split.lengths, 16, split.padded)
    batches = fixed_rows(split, parts, None, 16, torch.zeros(1, dtype=torch.float64))
    assert sorted(torch.cat([batch.rows for batch in batches]).tolist()) == list(range(len(split)))
    assert {batch.weight.dtype for batch in batches} == {torch.float64}


def test_members_with_rows_of_their_own_share_one_bucket():
    split, own = Words(((1, 2), (3, 4), (0, 1)), (0, 1, 0)), torch.tensor([[0, 1], [1, 2]])
    (batch,) = fixed_rows(split, buckets(split.lengths[own[0]], 2, padded=False), own, 2, torch.zeros(1))
    assert batch.rows.tolist() == [0, 1, 2]


def test_what_is_drawn_is_each_members_own_and_refilled_in_place(plays):
    split = plays.splits["train"]
    first, second = (drawn_rows(split, MEMBERS, epoch, 1, CPU) for epoch in (1, 2))
    for m, member in enumerate(MEMBERS):
        alone = drawn_rows(split, (member,), 1, 1, CPU)
        assert torch.equal(first.negatives[m], alone.negatives)
    assert not torch.equal(first.negatives, second.negatives)
    place = first.negatives.data_ptr()
    refill(first, second)
    assert torch.equal(first.negatives, second.negatives)
    assert first.negatives.data_ptr() == place


@pytest.mark.parametrize("shape", [(4,), (3, 4)])
def test_gathered_rows_carry_this_steps_weights(planted, shape):
    data = planted.splits["train"].batch(torch.arange(9), 24)
    index = torch.arange(12).reshape(3, 4)[: shape[0] if len(shape) > 1 else 1].reshape(shape) % 9
    weight = torch.rand(shape, dtype=torch.float64)
    found = gathered(data, index, weight)
    assert torch.equal(found.inputs, data.inputs[index])
    assert torch.equal(found.targets, data.targets[index])
    assert torch.equal(found.weight, weight.float()), "weights take the data's precision"
    assert data.weight.eq(1).all(), "the data's own weights are left alone"


def test_gathered_works_where_the_data_has_no_weights(planted):
    data = planted.splits["train"].batch(torch.arange(3))
    plain = type(data)(data.inputs, data.mask, data.targets)
    assert gathered(plain, torch.tensor([2, 0]), torch.ones(2)).weight.tolist() == [1.0, 1.0]


def started(plays, members=MEMBERS):
    parts = [initial(PairToy(), plays.task, member) for member in members]
    return template(PairToy(), plays.task), {n: t.double() for n, t in stack(parts).items()}


@pytest.mark.parametrize("repair", [Nothing(), Aswa()])
def test_trained_together_is_trained_alone(plays, repair):
    (network, start), fit = started(plays), fit_of("adagrad", epochs=3, batch=16)
    together = train(network, start, plays, MEMBERS, fit, repair)
    alone = [train(network, only(start, m), plays, (one,), fit, repair)[0] for m, one in enumerate(MEMBERS)]
    assert_same(together, alone)


def test_what_is_learned_is_learned_from_the_data(plays):
    (network, start), fit = started(plays), fit_of("adam:lr=0.05", epochs=8, batch=16, patience=8)
    (one,) = train(network, only(start, 0), plays, MEMBERS[:1], fit, Nothing())
    assert max(one.history) > one.history[0]
    assert not torch.equal(one.parameters["users"], start["users"][0])


@pytest.mark.parametrize("members", [1, 3])
def test_training_goes_on_bit_for_bit(plays, tmp_path, members):
    (network, start), fit = started(plays, MEMBERS[:members]), fit_of(epochs=4, batch=16)
    undisturbed = train(network, start, plays, MEMBERS[:members], fit, Nothing())
    kept = Checkpoint(tmp_path / "chunk.safetensors", seconds=0.0)
    with pytest.raises(Killed):
        train(network, start, plays, MEMBERS[:members], fit, Nothing(), kill_after(2), kept)
    again = Checkpoint(kept.path, seconds=0.0)
    resumed = train(network, start, plays, MEMBERS[:members], fit, Nothing(), checkpoint=again)
    for one, other in zip(undisturbed, resumed, strict=True):
        assert one.history == other.history
        assert all(torch.equal(t, other.parameters[name]) for name, t in one.parameters.items())


def test_only_negatives_have_a_member_axis_and_stay_where_they_are(plays):
    (network, start), fit = started(plays), fit_of(epochs=2, batch=16)
    loop = Loop(network, start, plays, MEMBERS, fit, Nothing())
    data, split = loop.data, plays.splits["pairs"]
    assert sum(len(bucket) for bucket in data.buckets) == len(split)
    places = [own.data_ptr() for own in data.negatives]
    for epoch in (1, 2):
        data.refill(epoch)
        for number, (bucket, own) in enumerate(zip(data.buckets, data.negatives, strict=True)):
            assert bucket.inputs.dim() == bucket.following.dim() == 2
            index = torch.tensor([[0, 2], [1, 1], [3, 0]])
            batch = data.gathered(number, index, torch.ones(3, 2))
            assert torch.equal(batch.following, bucket.following[index])
            for m, member in enumerate(MEMBERS):
                whole = split.negatives(member, epoch, 2, torch.device("cpu"))
                assert torch.equal(own[m], whole[bucket.rows])
                assert torch.equal(batch.negatives[m], own[m][index[m]])
    assert places == [own.data_ptr() for own in data.negatives], "captured graphs read these very tensors"


def test_the_example_of_a_step_is_one_members(plays):
    for members in (MEMBERS, MEMBERS[:1]):
        network, start = started(plays, members)
        example = Loop(network, start, plays, members, fit_of(batch=16), Nothing()).data.example(0, 5)
        assert example.negatives.shape == (5, 16, 2)
        assert example.following.shape == (5, 16)


def test_neighbours_change_no_draw(plays):
    members = (Member(9), Member(1), Member(4))
    (network, start), fit = started(plays, members), fit_of(epochs=1, batch=16)
    together = train(network, start, plays, members, fit, Nothing())[1]
    (alone,) = train(network, only(start, 1), plays, (Member(1),), fit, Nothing())
    assert_same([together], [alone])
