import pytest
import torch

from holdfast.core.compare.distribution import distribution, divergence


def test_zeros_are_uniform_and_nothing_is_nothing():
    mask = torch.tensor([[True, True, False], [False, False, False]])
    assert distribution(torch.zeros(2, 3), mask, False).tolist() == [[0.5, 0.5, 0.0], [0.0, 0.0, 0.0]]
    assert distribution(torch.zeros(1, 2), mask[:1, :2], True).tolist() == [[0.25] * 4]


@pytest.mark.parametrize("size", [1e-40, 1e-30, 1e38])
def test_extreme_scores_keep_their_shape(size):
    p = distribution(torch.tensor([3.0, 1.0]) * size, torch.tensor([True, True]), False)
    assert p.tolist() == pytest.approx([0.75, 0.25], rel=1e-3)


def test_one_mask_serves_many_members():
    scores, mask = torch.rand(4, 3, 5), torch.rand(3, 5) < 0.6
    each = torch.stack([distribution(s, mask, True) for s in scores])
    assert torch.equal(distribution(scores, mask, True), each)


def test_divergence_is_never_negative():
    p = torch.full((1, 1000), 1e-3)
    assert divergence(p, p + 1e-9, 1e-12).item() >= 0.0
