"""A naive twin of words over a BERT checkpoint: one text, one word and one piece at a time."""

from typing import Any

import torch
from torch import Tensor

from holdfast.models.adapters.pieces import MOST


def cut(tokenizer: Any, words: list[str]) -> list[list[int]]:
    """The pieces of each word."""
    return [tokenizer.encode(word, add_special_tokens=False)[:MOST] for word in words]


@torch.no_grad()
def read(encoder: Any, tokenizer: Any, words: list[str | None]) -> tuple[list[Tensor], Tensor]:
    """States of the words and maps (layer, head, position, position), by transformers' own ``input_ids``;
    None is a hole, which takes one place."""
    ids, places, whose, place = [tokenizer.cls_token_id], [0], [-1], 1
    for number, word in enumerate(words):
        if word is None:
            place += 1
            continue
        for piece in cut(tokenizer, [word])[0]:
            ids, places, whose = [*ids, piece], [*places, place], [*whose, number]
            place += 1
    ids, places, whose = [*ids, tokenizer.sep_token_id], [*places, places[-1] + 1], [*whose, -2]
    out = encoder(input_ids=torch.tensor([ids]), position_ids=torch.tensor([places]), output_attentions=True)
    order = [n for n, word in enumerate(words) if word is not None]
    own = [[at for at, one in enumerate(whose) if one == n] for n in [*order, -1, -2]]
    states = [sum(out.last_hidden_state[0, at] for at in some) / len(some) for some in own[:-2]]
    maps = torch.zeros(len(out.attentions), out.attentions[0].shape[1], len(own), len(own)).double()
    for layer, attention in enumerate(out.attentions):
        for head in range(attention.shape[1]):
            for i, ours in enumerate(own):
                for j, theirs in enumerate(own):
                    paid = [sum(float(attention[0, head, a, b]) for b in theirs) for a in ours]
                    maps[layer, head, i, j] = sum(paid) / len(paid)
    return states, maps
