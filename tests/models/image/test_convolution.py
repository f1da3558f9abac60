"""A convolution as a product of rows, against the definition and against torch's own."""

import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from holdfast.models.image.convolution import Convolution, along_rows, banded, halved
from holdfast.models.image.layers import pool
from tests.reference import strips as naive


@given(
    height=st.integers(1, 7),
    width=st.integers(1, 7),
    channels=st.integers(1, 3),
    kernel=st.sampled_from([1, 3, 5]),
    seed=st.integers(0, 99),
)
def test_rows_times_a_banded_matrix_are_a_convolution(height, width, channels, kernel, seed):
    generator = torch.Generator().manual_seed(seed)
    maps = torch.randn(channels, height, width, generator=generator, dtype=torch.float64)
    weight = torch.randn(4, channels, kernel, kernel, generator=generator, dtype=torch.float64)
    rows = maps.permute(1, 2, 0).flatten(1)[None]
    found = along_rows(rows, banded(weight, width)).unflatten(-1, (width, 4))[0].permute(2, 0, 1)
    torch.testing.assert_close(
        found, torch.tensor(naive.convolved(maps.numpy(), weight.numpy(), kernel // 2))
    )
    torch.testing.assert_close(found, F.conv2d(maps[None], weight, padding=kernel // 2)[0])


@given(height=st.integers(1, 9), width=st.integers(1, 9), seed=st.integers(0, 99))
def test_pooling(height, width, seed):
    maps = torch.randn(
        2, 3, height, width, generator=torch.Generator().manual_seed(seed), dtype=torch.float64
    )
    found = halved(maps.permute(0, 2, 3, 1).flatten(2), 3).unflatten(-1, (-1, 3)).permute(0, 3, 1, 2)
    torch.testing.assert_close(found, pool(maps))


def test_the_banded_form_of_positive_weights_is_the_positive_part_of_the_banded_form():
    weight = torch.randn(4, 2, 3, 3, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(banded(weight.clamp(min=0), 5), banded(weight, 5).clamp(min=0))


def test_a_hole_passes_the_output_on():
    torch.manual_seed(0)
    layer = Convolution(1, 2, 3, literal=True).double()
    x = torch.rand(1, 3, 4, 3, dtype=torch.float64)
    holes = torch.tensor([[True, False, True]])
    found = layer(x.flatten(0, 1), holes, None, "input").unflatten(0, (1, 3))
    short = layer(x[:, ::2].flatten(0, 1), holes[:, ::2], None, "input").unflatten(0, (1, 2))
    torch.testing.assert_close(found[:, 1], found[:, 0])
    torch.testing.assert_close(found[:, ::2], short)
