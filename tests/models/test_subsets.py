"""Blocks over many subsets are what a pass for each of them is."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.func import stack_module_state, vmap

from holdfast.core.records import Batch, Edit
from holdfast.data.base import Task
from holdfast.models.base import Run
from holdfast.models.recommend.bert4rec import Bert4rec
from holdfast.models.recommend.gru4rec import Gru4rec
from holdfast.models.recommend.sasrec import Sasrec
from holdfast.models.subsets import fresh, in_order
from holdfast.models.text.cnn import Cnn
from holdfast.models.text.transformer import Transformer
from holdfast.testing.model import build, example
from tests.explain.attending import member

ITEMS, WORDS = Task(15, (), length=9), Task(15, ("a", "b", "c"))
KINDS = [Sasrec, Bert4rec]


@st.composite
def cases(draw):
    """A model, a history, subsets of it, whether what is not kept stays."""
    kind = draw(st.sampled_from(KINDS))
    model = member(
        kind(dim=8, blocks=draw(st.integers(1, 3)), heads=draw(st.integers(1, 2))),
        ITEMS,
        draw(st.integers(0, 9)),
    )
    row, seed = draw(st.integers(0, 4)), draw(st.integers(0, 99))
    kept = torch.rand(draw(st.integers(1, 7)), 6, generator=torch.Generator().manual_seed(seed)) < 0.5
    return model, example(ITEMS, seed=seed).take(torch.tensor([row])), kept, draw(st.booleans())


def each(model, batch, kept, stays):
    """A pass for each subset."""
    found = []
    for some in kept:
        own = replace(batch, mask=batch.mask & some)
        if not stays:
            found.append(model(own).logits)
            continue

        def door(weights, site, some=some):
            keys = torch.ones(weights.shape[-1], dtype=torch.bool)
            keys[: len(some)] = some
            left = weights * keys
            total = left.sum(-1, keepdim=True)
            return torch.where(total > 0, left / torch.where(total > 0, total, 1.0), 0.0)

        found.append(model(batch, Edit(attention=door)).logits)
    return torch.cat(found)


@given(case=cases())
def test_twin(case):
    torch.testing.assert_close(case[0].subsets(*case[1:]), each(*case), rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("stays", [False, True])
@pytest.mark.parametrize("architecture", [Cnn(filters=4, dim=5), Transformer(hidden=8, dim=5)], ids=repr)
def test_texts(architecture, stays):
    model, kept = (
        member(architecture, WORDS),
        torch.rand(5, 6, generator=torch.Generator().manual_seed(1)) < 0.5,
    )
    batch = example(WORDS).take(torch.tensor([2]))
    torch.testing.assert_close(model.subsets(batch, kept, stays), each(model, batch, kept, stays))


def test_a_recurrent_model_encodes_once():
    model, kept = (
        member(Gru4rec(dim=8), ITEMS),
        torch.rand(5, 6, generator=torch.Generator().manual_seed(1)) < 0.5,
    )
    batch = example(ITEMS).take(torch.tensor([2]))
    torch.testing.assert_close(model.subsets(batch, kept), each(model, batch, kept, False))


@pytest.mark.parametrize("kind", KINDS)
def test_mapped(kind):
    models = [build(kind(dim=8), ITEMS, seed) for seed in range(3)]
    stacked = {name: tensor.detach() for name, tensor in stack_module_state(models)[0].items()}
    batch, kept = example(ITEMS).take(torch.tensor([0])), torch.rand(5, 6) < 0.5
    mapped = vmap(lambda own: Run(models[0], own).subsets(batch, kept), randomness="error")(stacked)
    for found, model in zip(mapped, models, strict=True):
        torch.testing.assert_close(found, model.subsets(batch, kept))


def test_attention_far_apart_stays_finite():
    model = member(Sasrec(dim=8), ITEMS, scale=200.0).float()
    items = torch.tensor([[1, 2, 3, 4, 5, 6]])
    batch = Batch(items, torch.ones_like(items).bool(), candidates=torch.tensor([[7]]))
    kept = torch.cat([torch.eye(6), torch.zeros(1, 6)]).bool()
    assert model.subsets(batch, kept).isfinite().all()


@given(seed=st.integers(0, 99), length=st.integers(1, 20), count=st.integers(1, 30))
def test_fresh_twin(seed, length, count):
    """In order, every beginning is new once; a state is worked out once for each."""
    kept = torch.rand(count, length, generator=torch.Generator().manual_seed(seed)) < 0.5
    order = in_order(kept)
    assert sorted(order.tolist()) == list(range(count))
    ordered, new = kept[order], fresh(kept[order])
    for place in range(length):
        begins = [tuple(row[: place + 1].tolist()) for row in ordered]
        assert new[:, place].tolist() == [begin not in begins[:row] for row, begin in enumerate(begins)]
