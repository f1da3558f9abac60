"""LeNet-5, pixel by pixel."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.records import Batch
from holdfast.data.base import Task
from holdfast.models.image.lenet import Lenet
from holdfast.testing.model import build
from tests.examples import fewer
from tests.models.image.twin import TEN, assert_twin, count


def test_counts():
    assert count(Lenet(), (1, 28, 28)) == count(Lenet(), (4, 28, 7)) == 61_706


def test_how_the_image_is_cut_does_not_matter():
    image = torch.rand(2, 28, 28, dtype=torch.float64)
    whole = build(Lenet(), Task(0, TEN, strip=(1, 28, 28)))
    cut = build(Lenet(), Task(0, TEN, strip=(4, 28, 7)))
    strips = torch.stack(image.split(7, -1), 1)
    expected = whole(Batch(image[:, None], torch.ones(2, 1, dtype=torch.bool))).logits
    torch.testing.assert_close(cut(Batch(strips, torch.ones(2, 4, dtype=torch.bool))).logits, expected)


@fewer(6)
@given(seed=st.integers(0, 9))
def test_twin_where_the_second_convolution_is_cut(seed):
    generator = torch.Generator().manual_seed(seed)
    strips = 2 * torch.rand(2, 12, 6, generator=generator, dtype=torch.float64) - 1
    assert_twin(Lenet(), (strips, torch.tensor([True, True])), seed)
