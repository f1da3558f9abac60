import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.measure.bins import by_confidence, by_label, by_length, confidence_bin


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_limit_belongs_to_the_bin_above_and_one_to_the_last(dtype):
    limits = torch.tensor([i / 10 for i in range(11)], dtype=dtype)
    assert confidence_bin(limits).tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9]
    assert confidence_bin(limits[1:] - 1e-4).tolist() == list(range(10))


def test_bins_cover_every_instance_once():
    probability, lengths = torch.rand(200), torch.randint(1, 40, (200,))
    for bins in (by_confidence(probability), by_length(lengths), by_label(lengths % 3, "abc")):
        assert (torch.stack([bin.mask for bin in bins]).sum(0) == 1).all()


def test_confidence_bins_are_named_by_their_lower_end_and_never_empty():
    bins = by_confidence(torch.tensor([0.31, 0.39, 0.8]))
    assert [(bin.label, bin.mask.tolist()) for bin in bins] == [
        ("0.3", [True, True, False]),
        ("0.8", [False, False, True]),
    ]
    assert [bin.at for bin in bins] == pytest.approx([0.35, 0.85])
    assert [bin.label for bin in by_confidence(torch.tensor([0.3]), bins=20)] == ["0.30"]


def test_length_bins_are_about_equal():
    bins = by_length(torch.arange(1, 101))
    assert [bin.label for bin in bins] == ["1–25", "26–50", "51–75", "76–100"]
    assert [bin.at for bin in bins] == [13, 38, 63, 88]
    assert [bin.label for bin in by_length(torch.tensor([5, 5, 5]))] == ["5"]


def test_labels_keep_their_order():
    assert [(bin.label, bin.at) for bin in by_label(torch.tensor([2, 0]), ("a", "b", "c"))] == [
        ("a", 0.0),
        ("c", 2.0),
    ]


def test_no_bins_are_refused():
    with pytest.raises(BadSetting, match=r"^expected at least 1 bin, but got 0$"):
        by_confidence(torch.rand(3), bins=0)
