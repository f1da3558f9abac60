"""Purity of neighbours, against loops and scipy."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import distance_matrix

from holdfast.core.errors import BadSetting
from holdfast.measure import neighbours
from holdfast.measure.neighbours import nearest, purity
from tests.examples import fewer
from tests.reference import neighbours as twin


@fewer(2)
@given(st.integers(5, 9), st.integers(1, 4), st.integers(0, 99))
def test_twin(n, k, seed):
    draw = torch.Generator().manual_seed(seed)
    vectors = torch.randint(0, 3, (2, n, 2), generator=draw).float()  # many at the same distance
    inside = torch.rand(n, 3, generator=draw) < 0.4
    inside[:5, 0] = True
    known = inside.any(1)
    points, rows = vectors[:, known].tolist(), inside[known].tolist()
    whole, *parts = purity(vectors, inside, ("a", "b", "c"), (k,))
    each = [twin.shares(one, rows, k) for one in points]
    assert whole.n == len(rows)
    assert whole.share.value == pytest.approx(sum(map(sum, each)) / len(each) / len(rows))
    assert whole.base == pytest.approx(sum(twin.base(rows)) / len(rows))
    assert whole.gain.value == pytest.approx(whole.share.value - whole.base)
    for part in parts:
        place = "abc".index(part.group)
        own = [twin.share_in(one, rows, k, place) for one in points]
        assert part.n == len(own[0])
        assert part.share.value == pytest.approx(sum(map(sum, own)) / len(own) / part.n)
        assert part.base == pytest.approx((part.n - 1) / (len(rows) - 1))


def test_scipy_finds_the_same_neighbours(monkeypatch):
    monkeypatch.setattr(neighbours, "AT_ONCE", 7)  # a last piece that is shorter
    vectors = torch.randn(1, 40, 5, generator=torch.Generator().manual_seed(0))
    label = torch.arange(40) % 3
    distances = torch.as_tensor(distance_matrix(vectors[0].double(), vectors[0].double())).fill_diagonal_(9e9)
    order = distances.argsort(1)[:, :10]
    (whole, *_) = purity(vectors, torch.nn.functional.one_hot(label).bool(), ("a", "b", "c"), ks=(10,))
    assert whole.share.value == pytest.approx((label[order] == label[:, None]).double().mean().item())
    assert all(nearest(vectors[0], row, 10).tolist() == order[row].tolist() for row in range(40))


def test_vectors_that_know_nothing_reach_the_base_rate_and_no_more():
    draw = torch.Generator().manual_seed(0)
    vectors = torch.randn(10, 300, 4, generator=draw)
    inside = torch.nn.functional.one_hot(torch.randint(0, 3, (300,), generator=draw)).bool()
    for found in purity(vectors, inside, ("a", "b", "c")):  # of ten and of three
        assert found.gain.low < 0 < found.gain.high
    vectors[..., 0] += 2.0 * inside[:, 0]
    found = {one.group: one for one in purity(vectors, inside, ("a", "b", "c"), ks=(10,))}
    assert found["a"].gain.low > 0.1
    assert found[""].gain.low > 0.03


def test_vectors_that_are_all_the_same_have_the_base_rate():
    inside = torch.tensor([[True, False], [True, False], [True, False], [False, True], [False, True]])
    (whole, *_) = purity(torch.ones(3, 5, 2), inside, ("a", "b"), ks=(2,))
    assert whole.share.value == pytest.approx(whole.base)


@pytest.mark.parametrize("k", [0, 4])
def test_more_neighbours_than_others_are_refused(k):
    with pytest.raises(BadSetting, match=rf"^expected k from 1 to 3, as there are 4 things, but got {k}$"):
        purity(torch.ones(1, 5, 2), torch.tensor([[True]] * 4 + [[False]]), ("a",), (2, k))


def test_several_counts_are_each_as_alone():
    draw = torch.Generator().manual_seed(5)
    vectors = torch.randint(0, 3, (2, 20, 2), generator=draw).float()
    inside = torch.nn.functional.one_hot(torch.arange(20) % 2).bool()
    both = purity(vectors, inside, ("a", "b"), ks=(5, 2))
    assert both == [one for k in (5, 2) for one in purity(vectors, inside, ("a", "b"), ks=(k,))]
