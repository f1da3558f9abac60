"""Explanations for tests."""

import torch

from holdfast.core.records import Explanation, Member


def explanation(scores, mask=None, signed=False, seeds=None, method="mine"):
    scores = torch.as_tensor(scores, dtype=torch.float64)
    mask = torch.ones(scores.shape[1:], dtype=torch.bool) if mask is None else mask
    members = tuple(map(Member, range(len(scores)) if seeds is None else seeds))
    return Explanation(scores * mask, mask, torch.zeros(len(mask), dtype=torch.long), members, method, signed)


def random_explanation(members=4, examples=6, length=7, seed=0, noise=1.0, **kwargs):
    """A common signal and noise of each member; every example has at least two positions."""
    draw = torch.Generator().manual_seed(seed)
    signal = torch.randn(1, examples, length, generator=draw, dtype=torch.float64)
    random = torch.randn(members, examples, length, generator=draw, dtype=torch.float64)
    lengths = torch.randint(2, length + 1, (examples,), generator=draw)
    return explanation(signal + noise * random, torch.arange(length) < lengths[:, None], **kwargs)
