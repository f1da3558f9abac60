"""Trees as words of bits: which leaves of a tree a value leaves open, one bit for each leaf.

Every split says which leaves are left when it goes one way, and which when it goes the other. The splits on
one column together leave the leaves that fit its value, and all columns together leave one. So what a tree
says of a row in which some columns come from elsewhere is the ``and`` of as many words as there are columns.
"""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

MOST_LEAVES = 62  # of a tree: a word has 64 bits, one for the sign
ALL = -1  # every bit
EXPONENT, BIAS = 52, 1023  # of a float64


class Trees(NamedTuple):
    """Trees of up to L leaves and N splits. Split n asks whether number ``feature`` of a row (of its T
    columns with D numbers each) is at most ``threshold``; ``yes`` and ``no`` are the leaves that are then
    left. ``value`` is what each leaf adds to each output. Splits that a tree has not leave everything."""

    value: Float[Tensor, "K L O"]
    feature: Int[Tensor, "K N"]
    threshold: Float[Tensor, "K N"]
    yes: Int[Tensor, "K N"]
    no: Int[Tensor, "K N"]

    @classmethod
    def empty(cls, trees: int, leaves: int, outputs: int) -> "Trees":
        """Trees without a split, whose only leaf adds nothing."""
        splits = (trees, max(leaves - 1, 1))
        nowhere, all_ = torch.zeros(splits, dtype=torch.long), torch.full(splits, ALL)
        return cls(torch.zeros(trees, leaves, outputs), nowhere, torch.zeros(splits), all_, all_.clone())

    @property
    def leaves(self) -> int:
        """How many leaves a tree may have."""
        return self.value.shape[1]

    def reached(self, rows: Float[Tensor, "N T D"]) -> Int[Tensor, "N K"]:
        """The word of each tree with the one leaf that a row reaches."""
        numbers = rows.flatten(-2)
        words = self._start(len(rows))
        for feature, threshold, yes, no in self._splits():
            words &= torch.where(numbers[:, feature] <= threshold, yes, no)
        return words

    def by_column(self, rows: Float[Tensor, "N T D"]) -> Int[Tensor, "N T K"]:
        """For each column the leaves that fit its value."""
        numbers, width = rows.flatten(-2), rows.shape[-1]
        trees = torch.arange(len(self.value), device=rows.device)
        words = self._start(len(rows))[:, None].repeat(1, rows.shape[1], 1)
        for feature, threshold, yes, no in self._splits():
            word = torch.where(numbers[:, feature] <= threshold, yes, no)
            words[:, feature // width, trees] &= word
        return words

    def added(self, words: Int[Tensor, "*N K"]) -> Float[Tensor, "*N O"]:
        """What the leaves add up to, of words with one leaf each."""
        first = torch.arange(len(self.value), device=words.device) * self.leaves
        values = self.value.flatten(0, 1)[leaf_of(words) + first]
        return values.sum(-2, dtype=torch.float64).to(self.value)

    def _start(self, rows: int) -> Int[Tensor, "N K"]:
        """All leaves; of a tree without a split only the first."""
        alone = (self.yes == ALL).all(1)
        word = torch.where(alone, 1, (1 << self.leaves) - 1)
        return word.expand(rows, -1).clone()

    def _splits(self) -> list[tuple[Tensor, ...]]:
        """The first splits of all trees, then the second ones, as far as some tree has any."""
        most = int((self.yes != ALL).sum(1).max())
        return list(zip(*(part[:, :most].unbind(1) for part in self[1:]), strict=True))


def leaf_of(words: Int[Tensor, "*N"]) -> Int[Tensor, "*N"]:
    """The place of the only bit of a word.

    >>> leaf_of(torch.tensor([1, 2, 1 << 61]))
    tensor([ 0,  1, 61])
    """
    return (words.double().view(torch.int64) >> EXPONENT) - BIAS


def mixed(
    own: Int[Tensor, "P T K"], others: Int[Tensor, "R T K"], kept: Bool[Tensor, "P T"]
) -> Int[Tensor, "P R K"]:
    """The words of rows whose columns outside ``kept`` (P, T) come from each of the others."""
    there = kept[..., None]
    words = torch.full_like(own[:, 0], ALL)
    for column in range(own.shape[1]):
        words &= torch.where(there[:, column], own[:, column], ALL)
    each = words[:, None].repeat(1, len(others), 1)
    for column in range(own.shape[1]):
        holes = (~kept[:, column]).nonzero()[:, 0]
        if len(holes):
            each[holes] &= others[:, column]
    return each
