"""The word pieces of a vocabulary's words."""

from functools import lru_cache
from typing import Any

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from holdfast.data.text.vocabulary import PADDING, SPECIAL, UNKNOWN

MOST = 8  # pieces of one word; of a longer one, which is hardly a word, the first are read


class Pieces:
    """``ids[w]`` are the pieces of word ``w``, filled with 0, and ``counts[w]`` is how many there are.

    ``first`` and ``last`` are the pieces that stand before and after every text.
    """

    def __init__(self, ids: Int[Tensor, "V P"], counts: Int[Tensor, "V"], first: int, last: int) -> None:
        self.ids, self.counts, self.first, self.last = ids, counts, first, last

    @property
    def most(self) -> int:
        """How many pieces the longest word has."""
        return self.ids.shape[1]

    def of(
        self, words: Int[Tensor, "B T"], mask: Bool[Tensor, "B T"]
    ) -> tuple[Int[Tensor, "B T P"], Int[Tensor, "B T"]]:
        """The pieces of some words, and how many each has; a hole has none."""
        ids, counts = self.ids.to(words.device), self.counts.to(words.device)
        known = words * mask
        return ids[known], counts[known] * mask

    def exist(self, words: Int[Tensor, "B T"], mask: Bool[Tensor, "B T"]) -> Bool[Tensor, "B T P"]:
        """Which of the places for pieces these words fill."""
        counts = self.of(words, mask)[1]
        return torch.arange(self.most, device=counts.device) < counts[..., None]


@lru_cache(maxsize=4)
def pieces_of(tokenizer: Any, words: tuple[str, ...]) -> Pieces:
    """Every word cut by itself, as our tokeniser found it; a word of which nothing is left is unknown."""
    unknown = [tokenizer.unk_token_id]
    # RoBERTa's pieces of a word inside a text have the space before it
    before = " " if tokenizer.tokenize(" a") != tokenizer.tokenize("a") else ""
    spelt = [before + word for word in words[len(SPECIAL) :]]
    cut: list[list[int]] = tokenizer(spelt, add_special_tokens=False)["input_ids"]
    rows = [[], unknown, *((own or unknown)[:MOST] for own in cut)]
    assert (PADDING, UNKNOWN) == (0, 1)
    width = max(map(len, rows))
    with torch.device("cpu"):  # kept for others, whatever this one is built on
        ids = torch.tensor([own + [0] * (width - len(own)) for own in rows])
        counts = torch.tensor([len(own) for own in rows])
    return Pieces(ids, counts, tokenizer.cls_token_id, tokenizer.sep_token_id)
