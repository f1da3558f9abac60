"""The attention over a history: its blocks and its slopes, against loops and numerical slopes."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.autograd import gradcheck, gradgradcheck
from torch.func import grad, vmap

from holdfast.models.interaction import attention
from holdfast.models.interaction.attention import attend
from tests.examples import fewer
from tests.reference import pairs

ALL, FEW = 1 << 20, 20  # numbers at once: everything, and one row or a part of it


def example(rows, candidates, length, seed=0, hidden=3):
    """Random numbers; the first row has padding in front, the last candidate nothing that counts, and a unit
    counts for nothing."""
    dice = torch.Generator().manual_seed(seed)

    def some(*shape):
        return torch.randn(*shape, generator=dice, dtype=torch.double)

    p, q, weight, bias = some(rows, length, 2), some(rows, candidates, 2), some(hidden, 2), some(hidden)
    energy = some(hidden)
    energy[0] = 0.0
    allowed = torch.rand(rows, candidates, length, generator=dice) > 0.3
    allowed[0, :, : length // 2] = False
    allowed[-1, -1] = False
    return p, q, weight, bias, energy, allowed


def weights(block, allowed, beta, patch):
    """The function of all that has a slope."""
    patch.setattr(attention, "BLOCK", {"cpu": block})
    return lambda p, q, *parameters: attend(p, q, allowed, parameters, beta)


@pytest.mark.parametrize("block", [ALL, FEW, 1])
@fewer(3)
@given(
    sizes=st.tuples(st.integers(1, 3), st.integers(1, 4), st.integers(1, 5)),
    seed=st.integers(0, 99),
    beta=st.sampled_from([0.0, 0.8, 1.0]),
)
def test_twin(block, sizes, seed, beta):
    p, q, weight, bias, energy, allowed = example(*sizes, seed)
    with pytest.MonkeyPatch.context() as patch:
        found = weights(block, allowed, beta, patch)(p, q, weight, bias, energy)
    for b, c in ((b, c) for b in range(sizes[0]) for c in range(sizes[1])):
        parameters = weight.tolist(), bias.tolist(), energy.tolist()
        energies = [pairs.energy(vector.tolist(), q[b, c].tolist(), *parameters) for vector in p[b]]
        wanted = pairs.history_weights(energies, allowed[b, c].tolist(), beta)
        assert found[b, c].tolist() == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("block", [ALL, FEW])
@pytest.mark.parametrize("beta", [0.8, 1.0])
@pytest.mark.parametrize("sizes", [(2, 3, 4), (2, 4, 2), (1, 2, 1)])
def test_slopes(block, beta, sizes, monkeypatch):
    *numbers, allowed = example(*sizes)
    function = weights(block, allowed, beta, monkeypatch)
    inputs = [tensor.requires_grad_() for tensor in numbers]
    assert gradcheck(function, inputs)
    assert gradgradcheck(function, inputs)


@pytest.mark.parametrize("block", [ALL, FEW])
def test_one_candidate_with_several_masks(block, monkeypatch):
    p, q, weight, bias, energy, _ = example(1, 1, 4)
    masks = torch.rand(1, 5, 4, generator=torch.Generator().manual_seed(1)) > 0.5
    inputs = [tensor.requires_grad_() for tensor in (p, q, weight, bias, energy)]
    together = weights(block, masks, 0.8, monkeypatch)
    assert gradcheck(together, inputs)
    each = [weights(block, mask[None, None], 0.8, monkeypatch)(*inputs) for mask in masks[0]]
    torch.testing.assert_close(together(*inputs), torch.cat(each, 1))


@pytest.mark.parametrize("block", [ALL, FEW])
def test_mapped_is_one_after_the_other(block, monkeypatch):
    members = [example(2, 3, 4, seed) for seed in range(3)]
    stacked = [torch.stack(parts) for parts in zip(*members, strict=True)]
    monkeypatch.setattr(attention, "BLOCK", {"cpu": block})

    def total(p, q, weight, bias, energy, allowed):
        return attend(p, q, allowed, (weight, bias, energy), 0.8).square().sum()

    slopes = grad(total, argnums=(0, 1, 2, 3, 4))
    mapped = vmap(slopes)(*stacked)
    each = [torch.stack(parts) for parts in zip(*(slopes(*member) for member in members), strict=True)]
    torch.testing.assert_close(mapped, tuple(each))
    leaves = [tensor.requires_grad_() for tensor in stacked[:5]]
    outside = torch.autograd.grad(vmap(total)(*leaves, stacked[5]).sum(), leaves)
    torch.testing.assert_close(outside, tuple(each))


def test_a_hidden_layer_larger_than_a_block_is_not_kept(monkeypatch):
    *numbers, allowed = example(4, 5, 6)
    inputs, sizes = [tensor.requires_grad_() for tensor in numbers], []

    def seen(tensor):
        sizes.append(tensor.numel())
        return tensor

    for block in (FEW, ALL):
        with torch.autograd.graph.saved_tensors_hooks(seen, lambda tensor: tensor):
            weights(block, allowed, 0.8, monkeypatch)(*inputs)
        largest, sizes = max(sizes), []
        assert largest == allowed.numel() * (1 if block == FEW else 3)
