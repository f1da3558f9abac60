"""Blocks over many subsets are what a pass for each of them is."""

from copy import deepcopy
from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.func import stack_module_state, vmap

from holdfast.core.records import Batch, Edit
from holdfast.data.base import Task
from holdfast.models.interaction.bert4rec import Bert4rec
from holdfast.models.interaction.gru4rec import Gru4rec
from holdfast.models.interaction.sasrec import Sasrec
from holdfast.models.run import Run
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


@pytest.mark.parametrize("settings", [{"kernels": (3,)}, {"kernels": (1, 7)}, {"attention": "dot"}])
@pytest.mark.parametrize("pair", [False, True])
def test_a_convolution_meets_each_word_once(settings, pair):
    task = Task(15, ("a", "b"), pair=pair)
    model, batch = member(Cnn(filters=4, dim=5, **settings), task), example(task)
    kept = torch.rand(9, 6, generator=torch.Generator().manual_seed(1)) < 0.5
    kept[0], kept[1] = True, False
    for row in range(len(batch)):
        one = batch.take(torch.tensor([row]))
        torch.testing.assert_close(model.subsets(one, kept), each(model, one, kept, False))


@pytest.mark.parametrize("kind", [*KINDS, Cnn])
def test_mapped(kind):
    task = WORDS if kind is Cnn else ITEMS
    models = [build(kind(dim=8), task, seed) for seed in range(3)]
    stacked = {name: tensor.detach() for name, tensor in stack_module_state(models)[0].items()}
    batch, kept = example(task).take(torch.tensor([0])), torch.rand(5, 6) < 0.5
    mapped = vmap(lambda own: Run(models[0], own).subsets(batch, kept), randomness="error")(stacked)
    for found, model in zip(mapped, models, strict=True):
        torch.testing.assert_close(found, model.subsets(batch, kept))


def far_apart(kind, spread, **settings):
    """A model and a history whose logits in the first block lie ``spread`` apart, and all its subsets."""
    model = member(kind(dim=8, **settings), ITEMS, scale=1.0).requires_grad_(False)
    items = torch.tensor([[1, 2, 3, 4, 5, 6]])
    batch = Batch(items, torch.ones_like(items).bool(), candidates=torch.tensor([[7, 8]]))
    first = model.blocks.stack[0]
    states = model.encode(model.embed(batch), batch, Edit())[0]
    queries, keys = torch.unflatten(states @ first.inputs[:, :16], 1, (2, first.heads, -1)).unbind(1)
    logits = torch.einsum("qhe,khe->hqk", queries, keys) / keys.shape[-1] ** 0.5
    first.inputs[:, :8] *= spread / (logits.amax(-1) - logits.amin(-1)).max()
    kept = torch.tensor([[letter == "1" for letter in f"{n:06b}"] for n in range(64)])
    return model, batch, kept


@pytest.mark.parametrize("spread", [1, 10, 78, 100, 300, 1000])
@pytest.mark.parametrize("settings", [{"blocks": 1}, {"blocks": 2, "heads": 2}], ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_logits_may_lie_far_apart(kind, settings, spread):
    model, batch, kept = far_apart(kind, spread, **settings)
    for stays in (False, True):
        truth = each(model, batch, kept, stays)
        torch.testing.assert_close(model.subsets(batch, kept, stays), truth, rtol=1e-8, atol=1e-9)
        single = deepcopy(model).float().subsets(batch, kept, stays)
        torch.testing.assert_close(single.double(), truth, rtol=0, atol=3e-5 * float(truth.abs().max()))


def test_what_softmax_rounds_away_is_said():
    """Where columns go after the softmax, weights that it has lost are not guessed."""
    model = member(Transformer(hidden=8, dim=5), WORDS, scale=4.0).float()
    batch, kept = example(WORDS).take(torch.tensor([0])), ~torch.eye(6).bool()
    found, truth = (one.subsets(batch, kept, True) for one in (model, deepcopy(model).double()))
    told = found.isfinite().all(1)
    assert told.any()
    assert not told.all()
    assert truth.isfinite().all()
    torch.testing.assert_close(found[told].double(), truth[told], rtol=1e-2, atol=1e-2)


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
