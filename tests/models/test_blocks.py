"""The attention block, against torch's own attention and loops."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from holdfast.core.records import PLAIN, Edit
from holdfast.models.blocks import Block, Blocks, may_attend
from tests.reference import recommend


def made(heads, rate=0.0, blocks=1):
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(0)
        stack = Blocks(8, heads, blocks, rate).double()
        with torch.no_grad():  # so that norms matter
            for name, parameter in stack.named_parameters():
                if "before" in name or "after" in name:
                    parameter.normal_()
        return stack, torch.randn(3, 5, 8).double(), torch.rand(3, 5) < 0.7


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("heads", [1, 2, 4])
def test_torch_agrees_on_the_attention(heads, causal):
    stack, states, mask = made(heads)
    (block,) = stack.stack
    allowed = may_attend(mask, causal)
    queries, keys, values = (
        part.unflatten(-1, (heads, -1)).transpose(1, 2) for part in (states @ block.inputs).split(8, -1)
    )
    wanted = F.scaled_dot_product_attention(queries, keys, values, attn_mask=allowed[:, None])
    wanted = torch.where(allowed.any(-1)[:, None, :, None], wanted, 0.0)
    _, weights = block(states, allowed, PLAIN)
    torch.testing.assert_close(weights @ values, wanted)


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("heads", [1, 2])
def test_twin(heads, causal):
    stack, states, mask = made(heads, blocks=2)
    found, maps = stack(states, may_attend(mask, causal), PLAIN)
    for b in range(3):
        sees = [
            [j for j in range(5) if mask[b, j] and (j <= i or not causal)] if mask[b, i] else []
            for i in range(5)
        ]
        wanted, wanted_maps = recommend.blocks(list(stack.stack), list(states[b]), sees)
        torch.testing.assert_close(found[b], torch.stack(wanted))
        for ours, theirs in zip(maps, wanted_maps, strict=True):
            torch.testing.assert_close(ours[b].tolist(), theirs)


def test_torch_agrees_on_the_rest():
    """Without attention a block is a feed-forward layer between norms, as torch writes it."""
    stack, states, _ = made(1)
    (block,) = stack.stack
    nobody = torch.zeros(3, 5, 5, dtype=torch.bool)
    feed = nn.Sequential(block.before, block.inner, nn.LeakyReLU(), block.outer)
    found, weights = block(states, nobody, PLAIN)
    torch.testing.assert_close(found, block.after(feed(states) + states))
    assert not weights.any()


@pytest.mark.parametrize("door", [None, lambda weights, site: weights * 0.5])
def test_short_ways_to_the_last_state(door):
    stack, states, mask = made(2, blocks=2)
    allowed, edit = may_attend(mask, True), Edit(attention=door)
    whole, maps = stack(states, allowed, edit)
    read, same = stack(states, allowed, edit, last=True)
    torch.testing.assert_close(read, whole[:, -1:])
    torch.testing.assert_close(stack.last(states, allowed, edit), whole[:, -1])
    assert all(torch.equal(a, b) for a, b in zip(maps, same, strict=True))


def test_dropout_reads_the_draws_of_its_name():
    stack, states, mask = made(1, rate=0.5)
    shapes = stack.noise(3, 5)
    assert shapes == {"block0.attention": (3, 5, 8), "block0.feed": (3, 5, 8)}
    allowed = may_attend(mask, False)
    all_gone = {name: torch.zeros(shape) for name, shape in shapes.items()}
    found, _ = stack(states, allowed, Edit(noise=all_gone))
    torch.testing.assert_close(found, stack.stack[0].after(states))
    assert Block(8, 1, 0.0, 0).noise(3, 5) == {}


def test_who_may_attend():
    mask = torch.tensor([[True, False, False]])
    end = torch.tensor([False, False, True])
    assert may_attend(mask, True, end)[0].tolist() == [
        [True, False, False],
        [False] * 3,
        [True, False, False],
    ]
    assert may_attend(~mask, True, end)[0].tolist() == [
        [False] * 3,
        [False, True, False],
        [False, True, True],
    ]
