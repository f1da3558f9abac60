"""Audits of images show heat maps, and count what speaks for the class."""

import torch

from holdfast.measure.verdict import scale_of
from holdfast.study.modality import modality
from holdfast.study.views import views
from tests.study.strips import cells


def test_images_are_looked_at() -> None:
    one = cells()[0]
    scales = {name: scale_of(e, rows=one.rows) for name, e in one.explanations.items()}
    assert modality("image").pictures(one, scales) == views(one, one.dataset, scales)
    assert modality("image").examples(one, scales) == []


def test_what_speaks_against_the_class_finds_nothing() -> None:
    assert modality("image").credited(torch.tensor([[[-2.0, 0.5]]])).tolist() == [[[0.0, 0.5]]]
    assert modality("text").credited(torch.tensor([[[-2.0, 0.5]]])).tolist() == [[[-2.0, 0.5]]]
