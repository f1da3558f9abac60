"""Reasons, counted again by hand."""

import pytest
import torch

from holdfast.study.reasons import by_item, named_most, reasons


def test_reasons_are_what_speaks_for_it_and_who_agrees():
    scores = torch.tensor([[4.0, 2.0, -1.0, 1.0], [1.0, 3.0, -3.0, 1.0], [-2.0, 5.0, 0.0, 2.0]])
    found = reasons(scores, ("a", "b", "c", "d"), first=2)
    assert [(one.item, one.agree) for one in found] == [("b", 3), ("d", 1)]
    assert found[0].share == pytest.approx((2 / 8 + 3 / 8 + 5 / 9) / 3)
    assert [one.item for one in reasons(-scores, ("a", "b", "c", "d"), first=2)] == ["c"]


def test_what_speaks_against_in_most_seeds_is_no_reason():
    scores = torch.tensor([[8.0, 1.0], [-1.0, 2.0], [-1.0, 2.0]])  # by the mean the first would be one
    assert [one.item for one in reasons(scores, ("a", "b"))] == ["b"]
    assert not reasons(-scores, ("a", "b"))
    assert [one.item for one in reasons(scores, ("a", "b"), first=1)] == ["b"]
    assert not reasons(torch.tensor([[8.0], [-1.0]]), ("a",))


def test_an_item_that_was_met_twice_has_the_sum_of_its_scores():
    items, scores = by_item(torch.tensor([4, 2, 4]), torch.tensor([[1.0, 2.0, 3.0], [0.5, -1.0, 0.5]]))
    assert (items.tolist(), scores.tolist()) == ([2, 4], [[2.0, 4.0], [-1.0, 1.0]])
    assert named_most(torch.tensor([[2.0, 4.0], [-1.0, 3.0], [-5.0, 1.0]])) == (1, 2)
