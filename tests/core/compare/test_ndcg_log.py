import pytest
import torch

from holdfast.core.compare.ndcg_log import NdcgLog
from holdfast.core.errors import BadSetting

ALL = torch.ones(4, dtype=torch.bool)
FIRST = torch.tensor([4.0, 3.0, 2.0, 1.0], dtype=torch.float64)


@pytest.mark.parametrize(("first_rank", "bottom", "top"), [(0, 0.925, 0.599), (1, 0.891, 0.673)])
def test_the_check_values_for_four_items(first_rank, bottom, top):
    for other, expected in (([4.0, 3.0, 1.0, 2.0], bottom), ([3.0, 4.0, 2.0, 1.0], top)):
        value = NdcgLog(first_rank)(FIRST, torch.tensor(other, dtype=torch.float64), ALL)
        assert value.item() == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize(("part", "expected"), [(slice(25, 50), 0.972), (slice(0, 25), 0.666)])
def test_shuffling_half_of_fifty(part, expected):
    scores = torch.arange(50, 0, -1, dtype=torch.float64).repeat(400, 1)
    draw, moved = torch.Generator().manual_seed(0), scores.clone()
    moved[:, part] = torch.stack([row[torch.randperm(25, generator=draw)] for row in scores[:, part]])
    assert NdcgLog()(scores, moved, scores > 0).mean().item() == pytest.approx(expected, abs=0.012)


def test_a_turned_order_is_the_worst():
    assert NdcgLog()(FIRST, FIRST.flip(-1), ALL).item() == pytest.approx(-1.0)


def test_a_first_rank_of_two_is_refused():
    with pytest.raises(BadSetting, match=r"^ndcg_log: expected first_rank to be 0 or 1, but got 2$"):
        NdcgLog(first_rank=2)
