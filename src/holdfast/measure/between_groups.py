"""Attention between groups of items: does a model that was never given genres attend within them?"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.draws import generator
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.models.blocks import Block
from holdfast.models.interaction.sasrec import Causal
from holdfast.models.run import Run


class Between(NamedTuple):
    """Attention of each query to each key, averaged over heads: scaled dot products, and softmax weights."""

    logits: Float[Tensor, "B T T"]
    weights: Float[Tensor, "B T T"]


@torch.no_grad()
def attention_between(run: Run, queries: Int[Tensor, "B T"], keys: Int[Tensor, "B T"]) -> Between:
    """The first block's attention of one sequence to another: ``softmax(Q(a) K(b)ᵀ / √(d/h))``, without a
    causal mask (Baumhauer §4.2.3; Kang & McAuley 2018, Figure 5).

    Both sequences are embedded as the block sees them: item plus position. Only for SASRec.
    """
    model = run.model
    if not isinstance(model, Causal):
        raise BadSetting("attention between groups: expected a sasrec, but got another model")
    first = model.blocks.stack[0]
    assert isinstance(first, Block)
    to_query, to_key, _ = run.parameters["blocks.stack.0.inputs"].chunk(3, 1)
    q, k = (
        _split(_states(run, items) @ weight, first.heads)
        for items, weight in ((queries, to_query), (keys, to_key))
    )
    logits = q @ k.mT / k.shape[-1] ** 0.5
    return Between(logits.mean(1), logits.softmax(-1).mean(1))


def over_groups(
    attention: Float[Tensor, "B T T"], queries: Int[Tensor, "B T"], keys: Int[Tensor, "B T"], groups: int
) -> Float[Tensor, "G G"]:
    """The mean attention of the queries of each group (row) to the keys of each group (column).

    >>> over_groups(torch.tensor([[[1.0, 0.0], [0.5, 0.5]]]), *torch.tensor([[[0, 1]], [[0, 1]]]), 2)
    tensor([[1.0000, 0.0000],
            [0.5000, 0.5000]], dtype=torch.float64)
    """
    q, k = (torch.nn.functional.one_hot(group, groups).double() for group in (queries, keys))
    total = torch.einsum("btg,bts,bsh->gh", q, attention.double(), k)
    return total / torch.einsum("btg,bsh->gh", q, k)


def sequences(
    members: Sequence[Int[Tensor, "n"]], each: int, count: int, name: str, shuffled: bool = False
) -> tuple[Int[Tensor, "N T"], Int[Tensor, "N T"]]:
    """``count`` random sequences with ``each`` items of every group, and the group of each position.

    The groups follow one another in the order given, as in the document, so that a group always has the same
    positions; ``shuffled`` mixes them, so that positions play no part. ``name`` names the draw.

    >>> items, group = sequences([torch.tensor([1, 2]), torch.tensor([7, 8])], 2, 1, "example")
    >>> sorted(items[0, :2].tolist()), group.tolist()
    ([1, 2], [[0, 0, 1, 1]])
    """
    for number, ids in enumerate(members):
        if len(ids) < each:
            raise BadSetting(f"expected at least {each} items in group {number}, but got {len(ids)}")
    rng = generator(None, f"sequences {name}")
    parts = [ids[torch.rand(count, len(ids), generator=rng).argsort(-1)[:, :each]] for ids in members]
    items = torch.cat(parts, 1)
    group = torch.arange(len(members)).repeat_interleave(each).expand(count, -1)
    if not shuffled:
        return items, group
    order = torch.rand(items.shape, generator=rng).argsort(-1)
    return items.gather(1, order), group.gather(1, order)


def _states(run: Run, items: Int[Tensor, "B T"]) -> Float[Tensor, "B T d"]:
    batch = Batch(items, torch.ones_like(items, dtype=torch.bool))
    return run.encode(run.embed(batch), batch)


def _split(x: Float[Tensor, "B T d"], heads: int) -> Float[Tensor, "B h T e"]:
    return x.view(*x.shape[:2], heads, -1).transpose(1, 2)
