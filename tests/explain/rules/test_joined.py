"""Joined products are the products."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch.func import vmap

from holdfast.core.rules import matmul
from holdfast.explain.rules.joined import KNOWN, MAKE, Term, Weights, laid, sum_of
from holdfast.models.image.convolution import along_rows
from holdfast.models.image.layers import same
from tests.examples import fewer


def plain(x, weight):
    """A product whose axes nobody knows."""
    return x @ weight


SHAPES = {
    matmul: ((2, 3), (3, 4)),
    along_rows: ((2, 5, 3), (9, 4)),
    same: ((2, 3, 5, 4), (6, 3, 3, 3)),
    F.conv2d: ((2, 3, 5, 4), (6, 3, 3, 3)),
    plain: ((2, 3), (3, 4)),
}


@pytest.mark.parametrize("op", [*KNOWN, plain], ids=lambda op: op.__name__)
@fewer(2)
@given(seed=st.integers(0, 99))
def test_joined(op, seed):
    of_x, of_weight = SHAPES[op]
    generator = torch.Generator().manual_seed(seed)
    a, b = (torch.randn(of_x, generator=generator, dtype=torch.float64) for _ in range(2))
    w, v = (torch.randn(of_weight, generator=generator, dtype=torch.float64) for _ in range(2))
    up, down, made = w.clamp(min=0), (-w).clamp(min=0), Weights()
    terms = [Term(op, a, w, "up"), Term(op, b, w, "down"), Term(op, a, v, "up")]
    first = op(a, up) + op(b, down) + op(a, v.clamp(min=0))
    second = op(b, up) + op(a, down) + op(a, (-v).clamp(min=0))
    torch.testing.assert_close(made.total(terms), first)
    torch.testing.assert_close(made.total(terms[:1]), op(a, up))
    for joined, expected in zip(made.both(terms), (first, second), strict=True):
        torch.testing.assert_close(joined, expected)
    for joined, expected in zip(made.both(terms[:1]), (op(a, up), op(a, down)), strict=True):
        torch.testing.assert_close(joined, expected)
    torch.testing.assert_close(made.total([Term(op, a, w, "square")]), op(a, w * w))
    for joined in made.both([Term(op, a, w, "square")]):  # of a square there is one half
        torch.testing.assert_close(joined, op(a, w * w))
    torch.testing.assert_close(
        made.total([Term(op, a, w, "plain"), Term(op, b, v, "plain")]), op(a, w) + op(b, v)
    )


def test_operations_of_two_kinds_are_not_joined():
    x, w = torch.randn(2, 3), torch.randn(3, 4)
    found = Weights().total([Term(matmul, x, w, "plain"), Term(plain, x, w, "plain")])
    torch.testing.assert_close(found, 2 * x @ w)


def test_each_is_made_once(monkeypatch):
    made, w, x, calls = Weights(), torch.randn(2, 2), torch.randn(1, 2), []
    monkeypatch.setitem(MAKE, "up", lambda weight: calls.append(weight) or weight.relu())
    for _ in range(3):
        made.total([Term(matmul, x, w, "up")])
    made.total([Term(matmul, x, w.clone(), "up")])
    assert len(calls) == 2


def test_a_layout_is_not_a_value():
    dense, stacked = torch.randn(3, 4), torch.randn(2, 6, 3, 5, 5)
    assert laid(dense) is dense
    assert torch.equal(vmap(laid)(stacked), stacked)
    assert laid(stacked[0]).is_contiguous(memory_format=torch.channels_last)


def test_sum_of():
    one = torch.ones(1)
    assert sum_of([one]) is one
    assert sum_of([one, one, one]).item() == 3.0
