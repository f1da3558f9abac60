import torch

from holdfast.core.compare.topset import clear_top, share, top

ALL = torch.ones(3, dtype=torch.bool)


def test_ties_go_to_the_earlier_position():
    mask = torch.tensor([False, True, True, True, False, True])
    assert top(torch.ones(6), mask, False, torch.tensor(2)).tolist() == [0, 1, 1, 0, 0, 0]


def test_the_top_is_by_size_or_by_sign():
    scores = torch.tensor([-3.0, 1.0, 2.0])
    assert top(scores, ALL, False, torch.tensor(1)).tolist() == [1, 0, 0]
    assert top(scores, ALL, True, torch.tensor(1)).tolist() == [0, 0, 1]


def test_a_clear_top_leaves_out_all_that_tie_for_the_last_place():
    scores, mask = torch.tensor([5.0, 2, -7, 2, 2, 9]), torch.tensor([True, True, True, True, True, False])
    assert clear_top(scores, mask, False, 3).tolist() == [1, 0, 1, 0, 0, 0]
    assert clear_top(scores, mask, True, 3).tolist() == [1, 0, 0, 0, 0, 0]
    assert clear_top(scores, mask, True, 4).tolist() == [1, 1, 0, 1, 1, 0]
    assert clear_top(scores, mask, True, 9).tolist() == [1, 1, 1, 1, 1, 0]


def test_more_than_there_are_is_all_there_are():
    mask = torch.tensor([True, False, True])
    assert top(torch.rand(3), mask, False, torch.tensor(9)).tolist() == [1, 0, 1]


def test_two_empty_sets_are_the_same_set():
    assert share(torch.tensor([0.0, 1.0]), torch.tensor([0.0, 2.0])).tolist() == [1.0, 0.5]
