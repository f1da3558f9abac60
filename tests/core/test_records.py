"""Records are frozen trees: mapped as they are, with what is not set left out."""

from dataclasses import FrozenInstanceError, replace

import pytest
import torch
from torch.func import vmap
from torch.utils import _pytree as pytree

from holdfast.core.records import PLAIN, Batch, Edit, Explanation, Member, Trace


def batch(**changes):
    made = Batch(
        inputs=torch.arange(12).reshape(3, 4),
        mask=torch.ones(3, 4, dtype=torch.bool),
        targets=torch.tensor([0, 1, 0]),
        weight=torch.ones(3),
        rows=torch.tensor([5, 6, 7]),
    )
    return replace(made, **changes)


@pytest.mark.parametrize("unset", [(), ("targets",), ("targets", "weight", "rows")])
def test_a_batch_is_a_tree_of_what_is_set(unset):
    made = batch(**dict.fromkeys(unset))
    leaves, tree = pytree.tree_flatten(made)
    assert len(leaves) == 5 - len(unset)
    back = pytree.tree_unflatten(leaves, tree)
    assert all(getattr(back, name) is None for name in (*unset, "query", "query_mask"))
    assert torch.equal(back.inputs, made.inputs)


def test_a_batch_is_mapped_with_fields_unset():
    many = batch(targets=None).map(lambda tensor: torch.stack([tensor, tensor + tensor]))

    def one(member):
        assert member.targets is None
        assert member.query is None
        assert len(member) == 3
        return replace(member, weight=member.weight * member.inputs.sum()), member.inputs.sum()

    mapped, sums = vmap(one)(many)
    assert mapped.targets is None
    assert sums.tolist() == [66, 132]
    assert mapped.weight.tolist() == [[66.0] * 3, [264.0] * 3]


def test_a_trace_comes_out_of_a_map():
    def one(x):
        return Trace(x[None], (x[None], x[None] * 2), x, x)

    trace = vmap(one)(torch.eye(3))
    assert trace.logits.shape == (3, 1, 3)
    assert [weights.shape for weights in trace.attention] == [(3, 1, 3)] * 2


@pytest.mark.parametrize("index", [torch.tensor([2, 0]), torch.tensor([[2, 0], [1, 1], [0, 2]])])
def test_take_gives_every_tensor_the_shape_of_the_index(index):
    made = batch(query=torch.arange(6).reshape(3, 2), query_mask=torch.ones(3, 2, dtype=torch.bool))
    taken = made.take(index)
    assert taken.inputs.shape == (*index.shape, 4)
    assert taken.query.shape == (*index.shape, 2)
    assert torch.equal(taken.rows, made.rows[index])
    assert len(taken) == index.shape[-1]


def test_map_and_to_leave_the_batch_alone():
    made = batch(weight=None)
    other = made.map(torch.zeros_like)
    assert not other.inputs.any()
    assert made.inputs.any()
    assert other.weight is None
    assert made.to("meta").inputs.device.type == "meta"


def test_records_are_frozen():
    for record, field in ((batch(), "mask"), (PLAIN, "embedded"), (Member(0), "seed")):
        with pytest.raises(FrozenInstanceError):
            setattr(record, field, None)


def test_a_plain_edit_changes_nothing():
    assert (PLAIN.embedded, PLAIN.attention, PLAIN.noise) == (None, None, {})
    assert Edit().noise is not Edit().noise


def test_members_have_names_and_an_order():
    assert (str(Member(3)), str(Member(3, 1))) == ("seed 3", "seed 3, fold 1")
    assert sorted([Member(2), Member(0), Member(1)]) == [Member(0), Member(1), Member(2)]
    assert len({Member(1), Member(1), Member(1, 0)}) == 2


def test_an_explanation_has_the_shape_it_says():
    members, mask, target = (Member(0), Member(1)), torch.ones(3, 4, dtype=torch.bool), torch.zeros(3)
    Explanation(torch.zeros(2, 3, 4), mask, target, members, "attention", signed=False)
    with pytest.raises(ValueError, match=r"^expected scores of shape \(2, 3, 4\), but got \(3, 3, 4\)$"):
        Explanation(torch.zeros(3, 3, 4), mask, target, members, "attention", signed=False)
    with pytest.raises(ValueError, match="expected lost of shape"):
        Explanation(torch.zeros(2, 3, 4), mask, target, members, "lrp", True, torch.zeros(2, 4))


def test_an_explanation_goes_to_another_device_as_it_is():
    mask, target = torch.ones(3, 4, dtype=torch.bool), torch.tensor([0, 1, 2])
    made = Explanation(torch.rand(1, 3, 4), mask, target, (Member(5, 1),), "lrp", signed=True)
    moved = made.to("meta")
    assert {t.device.type for t in (moved.scores, moved.mask, moved.target)} == {"meta"}
    assert (moved.members, moved.method, moved.signed) == ((Member(5, 1),), "lrp", True)
    same = made.to("cpu")
    assert torch.equal(same.scores, made.scores)
    assert torch.equal(same.target, target)
