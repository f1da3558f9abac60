import math

import pytest
import scipy.stats
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting
from holdfast.measure.localisation import (
    Located,
    conservation,
    cosine,
    each_member,
    moved_by,
    over_time,
    share,
)
from tests.reference import localisation as reference

MAJORITY = torch.tensor([1.0, 1.0, 0.0])


def same(located, expected):
    """The value, or nothing known and 0."""
    assert bool(located.known) == (expected is not None)
    assert located.values.item() == pytest.approx(expected or 0.0)


@given(
    blocks=st.lists(st.integers(-3, 4), min_size=3, max_size=3),
    truth=st.lists(st.booleans(), min_size=3, max_size=3),
)
@example(blocks=[-2, 3, -1], truth=[True, False, False])
@example(blocks=[-2, 5, -1], truth=[True, False, False])
def test_shares_are_the_naive_ones(blocks, truth):
    relevance, mark = torch.tensor(blocks).double(), torch.tensor(truth).double()
    same(share(relevance, mark), reference.share(blocks, truth))
    same(cosine(relevance, mark), reference.cosine(blocks, truth))


@given(steps=st.lists(st.integers(-2, 3), min_size=1, max_size=6), data=st.data())
def test_time_is_the_naive_one(steps, data):
    ink = data.draw(st.lists(st.integers(0, 3), min_size=len(steps), max_size=len(steps)))
    a, b = torch.tensor(steps).double(), torch.tensor(ink).double()
    assert over_time(a).tolist() == pytest.approx(reference.over_time(steps) or [0.0] * len(steps))
    same(moved_by(a, b), reference.moved_by(steps, ink))


def test_the_earth_mover_is_scipys():
    p, q = torch.rand(2, 7, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    expected = scipy.stats.wasserstein_distance(range(7), range(7), p.numpy(), q.numpy()) / 6
    assert moved_by(p, q).values.item() == pytest.approx(expected)


def test_one_empty_block_is_seen_by_the_cosine_alone():
    """Figure 4.10."""
    halves, one = torch.tensor([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]])
    assert share(halves, MAJORITY).values == share(one, MAJORITY).values == 1.0
    assert cosine(halves, MAJORITY).values.item() == pytest.approx(1.0)
    assert cosine(one, MAJORITY).values.item() == pytest.approx(1 / math.sqrt(2))
    assert cosine(torch.ones(3), MAJORITY).values.item() == pytest.approx(math.sqrt(2 / 3))


def test_a_single_step_has_no_distance():
    located = moved_by(torch.tensor([[2.0], [1.0]]), torch.tensor([1.0]))
    assert (located.known.tolist(), located.values.tolist()) == ([False, False], [0.0, 0.0])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_nothing_gives_nan(dtype):
    rows = torch.tensor([[0.0] * 3, [1e-40, 0.0, 0.0], [1e30, 1e30, -1e30], [-1.0, -1.0, 0.0]]).to(dtype)
    for measure in (share, cosine, moved_by):
        located = measure(rows, MAJORITY.to(dtype).expand(4, 3))
        assert located.values.isfinite().all()
        assert not located.known[0]
        assert (located.values[~located.known] == 0).all()
    assert share(rows, MAJORITY).known.tolist() == [False, True, True, False]
    assert cosine(rows, MAJORITY).known.tolist() == [False, True, True, False]
    assert share(rows, MAJORITY).values[1] == 1.0


def test_members_are_means_of_what_is_known():
    values, known = (
        torch.tensor([[0.5, 1.0, 0.0]] * 2),
        torch.tensor([[True, True, False], [False, True, False]]),
    )
    assert each_member(Located(values, known)).values.tolist() == [0.75, 1.0]
    one = each_member(Located(values, known & (torch.arange(2)[:, None] == 0)))
    assert (one.values.tolist(), one.known.tolist()) == ([0.75, 0.0], [True, False])


def test_truth_holds_for_every_member():
    blocks = torch.rand(4, 5, 3, generator=torch.Generator().manual_seed(1))
    truth = torch.eye(3)[[0, 1, 2, 0, 1]]
    for measure in (share, cosine):
        together = measure(blocks, truth).values
        assert torch.equal(together, torch.stack([measure(member, truth).values for member in blocks]))


def test_what_is_lost_is_a_share_of_the_evidence():
    lost = torch.tensor([[0.0, -1.0, 5.0], [2.0, 0.0, 0.0]])
    evidence = torch.tensor([[4.0, 4.0, 0.0], [-4.0, 4.0, 2.0]])
    lost_share = conservation(lost, evidence)
    assert lost_share.value == pytest.approx((6 / 8 + 2 / 10) / 2)
    assert lost_share.n == 2


def test_a_member_without_evidence_is_left_out():
    lost_share = conservation(torch.tensor([[1.0, 1.0], [1.0, 1.0]]), torch.tensor([[0.0, 0.0], [4.0, 4.0]]))
    assert (lost_share.value, lost_share.n) == (0.25, 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: share(torch.ones(3), torch.ones(12)),
            "expected truth for 3 blocks, but got 12: say it per block",
        ),
        (lambda: moved_by(torch.ones(3), torch.ones(4)), "expected ink for 3 steps, but got 4"),
        (
            lambda: conservation(torch.ones(3), torch.ones(3)),
            "expected lost and evidence of shape (members, examples), but got (3,) and (3,)",
        ),
        (
            lambda: conservation(torch.ones(1, 2), torch.zeros(1, 2)),
            "expected evidence other than 0 for an example of a member, but there is none",
        ),
    ],
)
def test_wrong_shapes_are_refused(call, message):
    with pytest.raises(BadSetting) as caught:
        call()
    assert str(caught.value) == message
