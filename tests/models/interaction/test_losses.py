"""The losses, against loops and torch's own."""

import pytest
import torch
import torch.nn.functional as F

from holdfast.models.interaction.losses import LOWEST, all_scores, bce, sampled, scores, softmax
from tests.reference import recommend

DICE = torch.Generator().manual_seed(0)
TABLE = torch.randn(9, 4, generator=DICE, dtype=torch.float64)
HIDDEN = torch.randn(2, 3, 4, generator=DICE, dtype=torch.float64)
FOLLOWING = torch.randint(1, 9, (2, 3), generator=DICE)
NEGATIVES = torch.randint(1, 9, (2, 3, 5), generator=DICE)


@pytest.mark.parametrize("kind", ["bce", "sampled", "softmax"])
def test_twin(kind):
    function = {"bce": bce, "sampled": sampled, "softmax": softmax}[kind]
    negatives = () if kind == "softmax" else (NEGATIVES,)
    found = function(HIDDEN, TABLE, FOLLOWING, *negatives)
    for b in range(2):
        for t in range(3):
            others = NEGATIVES[b, t].tolist()
            wanted = recommend.loss(kind, TABLE, HIDDEN[b, t], int(FOLLOWING[b, t]), others)
            assert abs(float(found[b, t]) - wanted) < 1e-12


def test_torch_agrees():
    both = scores(HIDDEN, TABLE, torch.cat([FOLLOWING[..., None], NEGATIVES], -1))
    wanted = F.binary_cross_entropy_with_logits(both[..., 0], torch.ones(2, 3).double(), reduction="none")
    against = F.binary_cross_entropy_with_logits(
        both[..., 1:], torch.zeros(2, 3, 5).double(), reduction="none"
    )
    torch.testing.assert_close(bce(HIDDEN, TABLE, FOLLOWING, NEGATIVES), wanted + against.mean(-1))
    nothing = torch.zeros(6, dtype=torch.long)
    own = F.cross_entropy(both.flatten(0, 1), nothing, reduction="none").view(2, 3)
    torch.testing.assert_close(sampled(HIDDEN, TABLE, FOLLOWING, NEGATIVES), own)


def test_scores_of_some_are_those_of_all():
    flat = HIDDEN.flatten(0, 1)
    everything = all_scores(flat, TABLE)
    torch.testing.assert_close(
        scores(flat, TABLE, NEGATIVES.flatten(0, 1)), everything.gather(1, NEGATIVES.flatten(0, 1))
    )
    assert (everything[:, 0] == LOWEST).all()
