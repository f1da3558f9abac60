"""Text classifiers as somebody else would write them."""

from types import SimpleNamespace

import torch
from torch import nn

from holdfast.data.base import Task

TWO, THREE = Task(12, ("no", "yes")), Task(12, ("a", "b", "c"))
OWN = Task(5, ("no", "yes"), ids=torch.tensor([-1, -1, 9, 4, 7]))  # of ids from 4 to 9


class Masked(nn.Module):
    """Attention over words, each looked at by itself: it respects its mask."""

    def __init__(self, vocabulary=12, classes=2):
        super().__init__()
        self.emb = nn.Embedding(vocabulary, 6)
        self.score = nn.Linear(6, 1)
        self.attn = nn.Softmax(1)
        self.out = nn.Linear(6, classes)

    def forward(self, ids, mask):
        states = self.emb(ids).tanh()
        weights = self.attn(self.score(states).squeeze(-1).masked_fill(~mask, -1e9))
        return self.out((weights[..., None] * states).sum(1))


class Plain(nn.Module):
    """A recurrent network without a mask, whose last state decides."""

    def __init__(self, vocab_size=12, num_labels=3):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, 4, padding_idx=0)
        self.rnn = nn.GRU(4, 5, batch_first=True)
        self.out = nn.Linear(5, num_labels)

    def forward(self, ids):
        return SimpleNamespace(logits=self.out(self.rnn(self.emb(ids))[1][-1]))


class Attends(nn.Module):
    """Words attend to words; keywords, a mask that hides, one logit, dropout, and a parameter of its own."""

    def __init__(self, vocabulary=12):
        super().__init__()
        self.words = nn.Embedding(vocabulary, 8)
        self.places = nn.Embedding(64, 8)
        self.scale = nn.Parameter(torch.ones(8))
        self.drop = nn.Dropout(0.5)
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.out = nn.Linear(8, 1)

    def forward(self, *, input_ids, key_padding_mask):
        x = self.drop(self.words(input_ids) + self.places.weight[: input_ids.shape[1]]) * self.scale
        x, _ = self.attention(x, x, x, key_padding_mask=key_padding_mask, average_attn_weights=False)
        kept = ~key_padding_mask[..., None]
        return self.out((x * kept).sum(1) / kept.sum(1)).squeeze(-1)


class Lengths(nn.Module):
    """It takes a mask and makes a length of it: padding is fine, a hole in the middle is not."""

    def __init__(self, vocabulary=12, classes=2):
        super().__init__()
        self.emb = nn.Embedding(vocabulary, 6)
        self.out = nn.Linear(6, classes)

    def forward(self, ids, mask):
        kept = torch.arange(ids.shape[1]) < mask.sum(1, keepdim=True)
        return self.out((self.emb(ids).tanh() * kept[..., None]).sum(1))
