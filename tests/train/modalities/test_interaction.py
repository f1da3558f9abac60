"""Recommenders rank."""

import torch

from holdfast.train.modality import modality
from holdfast.train.objective import hits

SCORES = torch.randn(2, 5, 28, generator=torch.Generator().manual_seed(0))
TARGETS = torch.zeros(5, dtype=torch.long)


def test_a_tenth_of_the_candidates_counts() -> None:
    own = modality("interaction")
    assert (own.metric, own.called) == ("recall", "recall@10 %")
    assert torch.equal(own.right(SCORES, TARGETS), hits(SCORES, TARGETS, first=2))
    assert torch.equal(own.watched(SCORES, TARGETS), own.right(SCORES, TARGETS))
    assert own.chance(SCORES, TARGETS) == (2 / 28, "picking a tenth of the candidates at random")
