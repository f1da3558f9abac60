"""Blocks over many subsets of one history, as cheaply as can be.

Which items are kept changes neither what a position asks nor what an item answers in the first block: ``q·k``
and ``v_k`` are made once, and each subset has a softmax of its own over what it keeps, so that logits may lie
as far apart as they like. Only states of what is kept are worked out, where nothing later is seen once for
all subsets that are the same so far, and of the last block only what is read:
``q·(W_K h_k) = (W_Kᵀ q)·h_k`` and ``Σ a_k W_V h_k = W_V Σ a_k h_k``, so that it projects no keys and values.
"""

import math
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.models.blocks import Block, Blocks, may_attend
from holdfast.models.layers import masked_softmax


class First(NamedTuple):
    """The first block of one history, made once: how much rows ask for keys, and what each brings.

    The last row asks twice, with its item and without.
    """

    block: Block
    asking: Float[Tensor, "Q d"]
    scores: Float[Tensor, "Q h T"]
    values: Float[Tensor, "h T e"]
    causal: bool


def last_states(
    blocks: Blocks,
    states: Float[Tensor, "T d"],
    absent: Float[Tensor, "d"],
    kept: Bool[Tensor, "S T"],
    causal: bool,
) -> Float[Tensor, "S d"]:
    """The last block's state at the last position for each subset; ``absent`` stands there if it is not kept.

    >>> blocks = Blocks(dim=4, heads=2, blocks=2, rate=0.0)
    >>> states, kept = torch.ones(3, 4), torch.tensor([[True, False, True], [False, False, False]])
    >>> last_states(blocks, states, torch.zeros(4), kept, causal=True).shape
    torch.Size([2, 4])
    """
    start, *rest = blocks.stack
    assert isinstance(start, Block)
    # of a single block no other row is read
    asking = torch.cat([states if rest else states[-1:], absent[None]])
    first = First(start, asking, *_looked_up(start, asking, states), causal)
    if not causal or not rest:
        return _pass(first, rest, kept)  # type: ignore[arg-type]
    order = in_order(kept)
    return _pass(first, rest, kept[order])[order.argsort()]  # type: ignore[arg-type]


def in_order(kept: Bool[Tensor, "S T"]) -> Int[Tensor, "S"]:
    """The subsets so that those that begin alike stand together.

    >>> in_order(torch.tensor([[True, False], [False, True], [True, True], [False, False]]))
    tensor([3, 1, 0, 2])
    """
    packed = np.packbits(kept.cpu().numpy(), axis=1)
    order = packed.view(f"V{packed.shape[1]}")[:, 0].argsort(kind="stable")
    return torch.from_numpy(order).to(kept.device)


def fresh(kept: Bool[Tensor, "S T"]) -> Bool[Tensor, "S T"]:
    """Whether a subset differs from the one before it at this place or earlier.

    Where it does not, a state that sees nothing later is the same in both.

    >>> fresh(torch.tensor([[False, True, True], [False, True, False]])).int()
    tensor([[1, 1, 1],
            [0, 0, 1]], dtype=torch.int32)
    """
    differs = torch.cat([torch.ones_like(kept[:1]), kept[1:] != kept[:-1]])
    return differs.cumsum(1) > 0


def _looked_up(block: Block, asking: Tensor, states: Tensor) -> tuple[Tensor, Tensor]:
    """``q·k`` of every row with every key, and what each key brings; by a single head already joined."""
    queries, keys, values = (_heads(part, block) for part in torch.split(block.inputs, states.shape[1], 1))
    k, v = states @ keys, states @ values
    scores = asking @ queries @ k.mT / math.sqrt(k.shape[-1])
    return scores.transpose(0, 1), v @ block.output if block.heads == 1 else v


def _heads(weight: Float[Tensor, "d d"], block: Block) -> Float[Tensor, "h d e"]:
    return torch.unflatten(weight, 1, (block.heads, -1)).transpose(0, 1)


def _pass(first: First, rest: list[Block], kept: Bool[Tensor, "S T"]) -> Float[Tensor, "S d"]:
    """All blocks for some subsets."""
    with_end, without = (mask.nonzero()[:, 0] for mask in (kept[:, -1], ~kept[:, -1]))
    end = torch.cat([with_end, without])
    if not rest:
        return _leave(first, kept, [with_end, without], [-1, -1])[end.argsort()]
    length = kept.shape[1]
    asks = (kept & fresh(kept) if first.causal else kept)[:, :-1]
    place, subset = asks.mT.nonzero(as_tuple=True)
    askers = [*torch.split(subset, asks.sum(0).tolist()), with_end, without]
    rows = _leave(first, kept, askers, [*range(length - 1), -1, -1])
    where = torch.zeros_like(kept, dtype=torch.long)
    at = torch.cat([subset * length + place, end * length + length - 1])
    where.view(-1)[at] = torch.arange(len(rows), device=kept.device)
    # a row that is not fresh is the last one before it; where nothing is kept anything may stand
    where[:, :-1] = where[:, :-1].cummax(0).values
    *middle, final = rest
    if middle:
        read = torch.arange(length, device=kept.device) == length - 1
        allowed = may_attend(kept, first.causal, read)
        for block in middle:
            rows = _attend(block, rows, where, at, allowed)
    return _read(final, _spread(rows, where), kept)


def _leave(first: First, kept: Tensor, askers: list[Tensor], places: list[int]) -> Float[Tensor, "R d"]:
    """The first block's output: for each of its rows, in the subsets in which it asks."""
    block, counts = first.block, [len(subset) for subset in askers]
    lowest = torch.finfo(first.scores.dtype).min
    hidden = ((~kept).to(first.scores.dtype) * lowest).index_select(0, torch.cat(askers))
    mixed = []
    for scores, bias, place in zip(first.scores.unbind(0), torch.split(hidden, counts), places, strict=True):
        keys = place + 1 if first.causal and place >= 0 else None
        weights = (scores[:, None, :keys] + bias[:, :keys]).softmax(-1)
        mixed.append(weights @ first.values[:, :keys])
    # only without the last item may nothing be kept, which brings nothing
    mixed[-1] = mixed[-1] * kept.any(1)[askers[-1], None]
    joined = torch.cat(mixed, 1)
    joined = joined[0] if block.heads == 1 else joined.transpose(0, 1).flatten(1) @ block.output
    row = torch.arange(len(counts)).repeat_interleave(torch.tensor(counts)).to(kept.device)
    return _feed(block, joined + first.asking.index_select(0, row))


def _spread(rows: Float[Tensor, "R d"], where: Int[Tensor, "S T"]) -> Float[Tensor, "S T d"]:
    """Rows at their subsets and places."""
    return rows.index_select(0, where.flatten()).view(*where.shape, -1)


def _attend(
    block: Block,
    rows: Float[Tensor, "R d"],
    where: Int[Tensor, "S T"],
    at: Int[Tensor, "R"],
    allowed: Bool[Tensor, "S T T"],
) -> Float[Tensor, "R d"]:
    """A block between the first and the last: every subset has maps of its own, of the rows that it keeps."""
    parts = torch.unflatten(_spread(rows @ block.inputs, where), -1, (3, block.heads, -1))
    queries, keys, values = parts.permute(2, 0, 3, 1, 4).unbind(0)
    weights = masked_softmax(queries @ keys.mT / math.sqrt(keys.shape[-1]), allowed[:, None])
    mixed = (weights @ values).transpose(1, 2).flatten(2).flatten(0, 1).index_select(0, at)
    return _feed(block, mixed @ block.output + rows)


def _feed(block: Block, g: Float[Tensor, "R d"]) -> Float[Tensor, "R d"]:
    """``LayerNorm(FFN(LayerNorm(g)) + g)``."""
    hidden = F.leaky_relu_(F.linear(block.before(g), block.inner.weight, block.inner.bias))
    out: Tensor = block.after(F.linear(hidden, block.outer.weight, block.outer.bias).add_(g))
    return out


def _read(block: Block, states: Float[Tensor, "S T d"], kept: Bool[Tensor, "S T"]) -> Float[Tensor, "S d"]:
    """The last block's output where it is read."""
    dim, last = states.shape[-1], states[:, -1]
    queries, keys, values = (_heads(part, block) for part in torch.split(block.inputs, dim, 1))
    projected = (last @ queries @ keys.mT).transpose(0, 1)
    weights = masked_softmax(projected @ states.mT / math.sqrt(queries.shape[-1]), kept[:, None])
    mixed = ((weights @ states).transpose(0, 1) @ values).transpose(0, 1).flatten(1)
    return _feed(block, mixed @ block.output + last)
