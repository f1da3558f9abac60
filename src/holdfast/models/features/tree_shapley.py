"""Shapley values of trees, exactly: interventional TreeSHAP over a background (Lundberg et al. 2020).

For one row and one row of the background a leaf is reached by a coalition if that has every column in which
only the row fits (``a`` of them) and none in which only the background fits (``c``). Its Shapley values are
then known: ``(a − 1)! c! / (a + c)!`` for each of the former, ``−a! (c − 1)! / (a + c)!`` for the latter,
times the leaf's value. A leaf that neither fits in some column is never reached. Of all columns a leaf knows
only those that are asked for on the way to it, its *slots*.
"""

from math import factorial

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.models.features.words import ALL, Trees

ROOM = 2**22  # leaves × rows × rows of the background at once


def tree_shapley(
    trees: Trees,
    width: int,
    own: Int[Tensor, "B T K"],
    others: Int[Tensor, "R T K"],
    mask: Bool[Tensor, "B T"],
) -> Float[Tensor, "B T O"]:
    """The values of each column for each output, from the words of the rows and of the background; columns
    have ``width`` numbers each. A hole is nobody's, and filled from the background."""
    slots = slots_of(trees, width, own.shape[1])
    own = torch.where(mask[..., None], own, ALL)
    step = max(1, ROOM // (len(own) * len(others) * trees.leaves))
    total = trees.value.new_zeros(*own.shape[:2], trees.value.shape[2])
    for start in range(0, own.shape[2], step):
        some = slice(start, start + step)
        _add(total, slots[some], trees.value[some], own[..., some], others[..., some], mask)
    return total / len(others)


def slots_of(trees: Trees, width: int, columns: int) -> Int[Tensor, "K L S"]:
    """The columns that are asked for on the way to each leaf; where a leaf has fewer, others fill up, which
    every value fits."""
    leaf = torch.arange(trees.leaves, device=trees.yes.device)
    below = ((trees.yes ^ trees.no)[..., None] >> leaf) & 1  # (K, N, L)
    asked = torch.nn.functional.one_hot(trees.feature // width, columns)
    used = torch.einsum("knl,knt->klt", below.to(trees.value), asked.to(trees.value)) > 0
    most = max(1, int(used.sum(-1).max()))
    return used.int().argsort(dim=-1, descending=True, stable=True)[..., :most]


def _add(
    total: Float[Tensor, "B T O"],
    slots: Int[Tensor, "K L S"],
    value: Float[Tensor, "K L O"],
    own: Int[Tensor, "B T K"],
    others: Int[Tensor, "R T K"],
    mask: Bool[Tensor, "B T"],
) -> None:
    """Add what some of the trees share out, summed over the background."""
    dead = own.new_zeros(len(own), len(others), own.shape[2])
    for column in range(own.shape[1]):
        lost = torch.where(mask[:, column, None], ~own[:, column], ALL)
        dead |= lost[:, None] & ~others[:, column]
    leaf = torch.arange(value.shape[1], device=own.device)
    alive = ((~dead[..., None] >> leaf) & 1).to(value).flatten(2)  # (B, R, K·L)
    mine, theirs = (_unfit(words, slots).to(value) for words in (own, others))  # (B, K·L, S), (R, K·L, S)
    a, c = theirs.sum(-1).long(), mine.sum(-1).long()
    joins, loses = weights(slots.shape[-1]).to(value)
    at = a * len(joins) + c[:, None]
    gain = torch.bmm(theirs.permute(1, 2, 0), (alive * joins.take(at)).permute(2, 1, 0))  # (K·L, S, B)
    loss = (alive * loses.take(at)).sum(1)
    each = gain.permute(2, 0, 1) - mine * loss[..., None]
    shares = each[..., None] * value.flatten(0, 1)[:, None]
    total.index_add_(1, slots.flatten(), shares.flatten(1, 2))


def _unfit(words: Int[Tensor, "N T K"], slots: Int[Tensor, "K L S"]) -> Int[Tensor, "N KL S"]:
    """1 where a column's value does not lead to the leaf."""
    tree = torch.arange(len(slots), device=words.device)[:, None, None]
    leaf = torch.arange(slots.shape[1], device=words.device)[:, None]
    found = words.flatten(1)[:, slots * words.shape[2] + tree]
    return ((~found >> leaf) & 1).flatten(1, 2)


def weights(most: int) -> Float[Tensor, "2 M M"]:
    """What a column that must be there gets of a leaf that wants ``a`` columns and shuns ``c`` (a row for
    each a), and what one that must not be there loses.

    >>> weights(2)[0]
    tensor([[0.0000, 0.0000, 0.0000],
            [1.0000, 0.5000, 0.3333],
            [0.5000, 0.1667, 0.0833]], dtype=torch.float64)
    """
    found = torch.zeros(2, most + 1, most + 1, dtype=torch.float64)
    for a in range(most + 1):
        for c in range(most + 1):
            whole = factorial(a + c)
            found[0, a, c] = factorial(a - 1) * factorial(c) / whole if a else 0.0
            found[1, a, c] = factorial(a) * factorial(c - 1) / whole if c else 0.0
    return found
