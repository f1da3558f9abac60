import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Member
from holdfast.data.base import Task
from holdfast.measure.between_groups import attention_between, over_groups, sequences
from holdfast.models.run import Run
from holdfast.train.family import Family
from tests.reference import rollout as reference

TASK = Task(13, (), length=6)


def member(text="sasrec:dim=8,blocks=1", seed=0) -> Run:
    return Family.init(make("models", text), TASK, [Member(seed)]).run(0)


def items(seed, rows=3, length=6):
    return torch.randint(1, 13, (rows, length), generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("heads", [1, 2])
def test_a_sequence_to_itself_is_the_models_own_map(heads):
    """The last row of a causal map sees every key: there the two are the same."""
    run, history = member(f"sasrec:dim=8,blocks=1,heads={heads}"), items(1)
    between = attention_between(run, history, history)
    trace = run(Batch(history, torch.ones_like(history, dtype=torch.bool)))
    assert torch.allclose(between.weights[:, -1], trace.attention[0].mean(1)[:, -1], atol=1e-6)
    assert torch.allclose(between.weights.sum(-1), torch.ones(3, 6))


@given(seed=st.integers(0, 99), groups=st.integers(1, 3))
def test_the_means_are_the_naive_ones(seed, groups):
    draw = torch.Generator().manual_seed(seed)
    attention = torch.rand(1, 5, 5, generator=draw, dtype=torch.float64)
    queries, keys = (torch.cat([torch.arange(groups), torch.arange(5 - groups) % groups]) for _ in range(2))
    keys = keys[torch.randperm(5, generator=draw)]
    expected = reference.between_groups(attention[0].tolist(), queries.tolist(), keys.tolist(), groups)
    table = over_groups(attention, queries[None], keys[None], groups)
    assert torch.allclose(table, torch.tensor(expected, dtype=torch.float64))


def test_sequences_have_as_many_of_each_group():
    parts = [torch.arange(1, 6), torch.arange(20, 30)]
    plain, where = sequences(parts, 3, 50, "a")
    mixed, mixed_where = sequences(parts, 3, 50, "a", shuffled=True)
    for drawn, group in ((plain, where), (mixed, mixed_where)):
        assert torch.equal((drawn >= 20).long(), group)
        assert (group.sum(1) == 3).all()
        assert all(len(set(row)) == 6 for row in drawn.tolist())
    assert torch.equal(where, torch.tensor([0, 0, 0, 1, 1, 1]).expand(50, -1))
    assert len({tuple(row) for row in mixed_where.tolist()}) > 5
    assert not torch.equal(plain, sequences(parts, 3, 50, "b")[0])


def test_a_group_too_small_is_refused():
    with pytest.raises(BadSetting, match=r"^expected at least 3 items in group 1, but got 2$"):
        sequences([torch.arange(3), torch.arange(2)], 3, 1, "a")


def test_another_model_is_refused():
    task = Task(5, ("a", "b"))
    run = Family.init(make("models", "cnn:filters=2,dim=4"), task, [Member(0)]).run(0)
    with pytest.raises(BadSetting, match=r"^attention between groups: expected a sasrec"):
        attention_between(run, items(0), items(1))
