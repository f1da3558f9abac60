import pytest
import torch

from holdfast.core.compare.topk_overlap import TopkOverlap
from holdfast.core.errors import BadSetting


def test_it_is_the_share_of_k():
    a, b = torch.tensor([5.0, 4, 3, 2, 1]), torch.tensor([1.0, 4, 5, 3, 2])
    assert TopkOverlap(k=3)(a, b, torch.ones(5, dtype=torch.bool)).item() == pytest.approx(2 / 3)


def test_k_is_capped_by_the_length():
    mask = torch.tensor([True, True, False, False])
    assert TopkOverlap(k=3)(torch.tensor([2.0, 1, 0, 0]), torch.tensor([1.0, 2, 0, 0]), mask).item() == 1.0


def test_no_positions_to_name_is_refused():
    with pytest.raises(BadSetting, match=r"^topk_overlap: expected k of at least 1, but got 0$"):
        TopkOverlap(k=0)
