"""Recommenders rank."""

import torch

from holdfast.train.modality import modality
from holdfast.train.objective import hits

SCORES = torch.randn(2, 5, 28, generator=torch.Generator().manual_seed(0))
TARGETS = torch.zeros(5, dtype=torch.long)


def test_a_tenth_of_the_candidates_counts(plays) -> None:
    own = modality("interaction")
    assert (own.metric, own.called) == ("recall", "recall@10 %")
    right = own.right(SCORES, TARGETS)
    assert right.shape == (2, 5)
    assert torch.equal(right.mean(1), hits(SCORES, TARGETS, first=2).double())
    assert torch.equal(own.watched(SCORES, TARGETS).double(), right.mean(1))
    assert not own.balanced
    assert own.chance(SCORES, plays) == (2 / 28, "picking a tenth of the candidates at random")
