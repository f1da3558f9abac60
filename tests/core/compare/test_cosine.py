import pytest
import torch
import torch.nn.functional as F

from holdfast.core.compare.cosine import Cosine


def test_torch_agrees():
    a, b = torch.randn(2, 30, 6, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    mask = torch.ones(30, 6, dtype=torch.bool)
    assert torch.allclose(Cosine()(a, b, mask, signed=True), F.cosine_similarity(a, b))
    assert torch.allclose(Cosine()(a, b, mask), F.cosine_similarity(a.abs(), b.abs()))


def test_zeros_are_the_same_as_zeros_only():
    zero, one, mask = torch.zeros(2), torch.tensor([1.0, 0.0]), torch.tensor([True, True])
    assert Cosine()(zero, zero, mask).item() == 1.0
    assert Cosine()(zero, one, mask).item() == 0.0
    assert Cosine()(one, -one, mask, signed=True).item() == pytest.approx(-1.0)
