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


@pytest.mark.parametrize(
    ("a", "b", "value"),
    [
        ([3.0, 1, 1, 1], [3.0, 1, 1, 1], 1.0),  # {0} and {0}
        ([3.0, 1, 1, 1], [3.0, 2, 1, 1], 1 / 2),  # {0} and {0, 1}
        ([3.0, 1, 1, 1], [1.0, 1, 1, 1], 0.0),  # {0} and nothing
        ([1.0, 1, 1, 1], [0.0, 0, 0, 0], 1.0),  # nothing and nothing
        ([1.0, 1, 0, 0], [1.0, 1, 0, 0], 1.0),  # both of two equals fit
    ],
)
def test_ties_for_the_last_place_are_left_out(a, b, value):
    mask = torch.ones(4, dtype=torch.bool)
    assert TopkOverlap(k=2)(torch.tensor(a), torch.tensor(b), mask).item() == value


def test_the_order_of_positions_does_not_matter_where_scores_are_equal():
    a, b = torch.randint(0, 3, (2, 50, 6), generator=torch.Generator().manual_seed(0)).double()
    mask, order = torch.ones(50, 6, dtype=torch.bool), torch.tensor([3, 5, 0, 4, 2, 1])
    assert torch.equal(TopkOverlap()(a, b, mask), TopkOverlap()(a[:, order], b[:, order], mask))


def test_no_positions_to_name_is_refused():
    with pytest.raises(BadSetting, match=r"^topk_overlap: expected k of at least 1, but got 0$"):
        TopkOverlap(k=0)
