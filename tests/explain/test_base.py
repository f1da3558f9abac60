"""What explainers share: the mask in any shape, and one score per word or pixel."""

import torch

from holdfast.core.records import Batch
from holdfast.explain.base import exists, place, words

MASK = torch.tensor([[True, True, False]])


def test_word_vectors_are_summed_and_holes_are_nothing():
    batch = Batch(torch.ones(1, 3, dtype=torch.long), MASK)
    values = torch.tensor([[[1.0, 2.0], [-1.0, 0.5], [7.0, 7.0]]])
    assert words(batch, values)
    assert place(values, batch).tolist() == [[3.0, -0.5, 0.0]]


def test_pixels_have_a_score_each():
    batch = Batch(torch.ones(1, 3, 2, 2), MASK)
    values = torch.arange(12.0).reshape(1, 3, 2, 2)
    assert not words(batch, values)
    assert torch.equal(place(values, batch)[:, :2], values[:, :2])
    assert not place(values, batch)[:, 2].any()


def test_the_mask_takes_the_shape_of_what_it_multiplies():
    assert exists(Batch(torch.ones(1, 3), MASK), torch.ones(1, 3, 4)).shape == (1, 3, 1)
