"""Audits of images show heat maps, and count what speaks for the class."""

import torch

from holdfast.study.evidence import evidence_of
from holdfast.study.modality import modality
from holdfast.study.views import views
from tests.study.strips import families


def test_images_are_looked_at() -> None:
    one = families()[0]
    scales = evidence_of(one).scales
    for first in scales:
        assert modality("image").pictures(one, scales, first) == views(one, one.dataset, scales[first])
    assert modality("image").examples(one, scales, "lrp") == []


def test_what_speaks_against_the_class_finds_nothing() -> None:
    assert modality("image").credited(torch.tensor([[[-2.0, 0.5]]])).tolist() == [[[0.0, 0.5]]]
    assert modality("text").credited(torch.tensor([[[-2.0, 0.5]]])).tolist() == [[[-2.0, 0.5]]]
