"""Log-odds."""

import torch

from holdfast.models.odds import log_odds


def test_log_odds_are_those_of_the_probability():
    logits = torch.randn(5, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    target = torch.tensor([0, 1, 2, 3, 0])
    p = logits.softmax(1).gather(1, target[:, None])[:, 0]
    torch.testing.assert_close(log_odds(logits, target), (p / (1 - p)).log())
