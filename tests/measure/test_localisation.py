import math

import pytest
import scipy.stats
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting
from holdfast.measure.localisation import (
    Located,
    conservation,
    cosine,
    each_member,
    in_blocks,
    moved,
    moved_by,
    over_time,
    share,
)
from tests.reference import localisation as reference

MAJORITY = torch.tensor([1.0, 1.0, 0.0])
SCORES = st.lists(st.integers(-3, 4), min_size=12, max_size=12)


def same(located, expected):
    """The value, or nothing known and 0."""
    assert bool(located.known) == (expected is not None)
    assert located.values.item() == pytest.approx(expected or 0.0)


@settings(max_examples=30, deadline=None)
@given(scores=SCORES, truth=st.lists(st.booleans(), min_size=3, max_size=3), positive=st.booleans())
@example(scores=[0, 0, 0, -2, 0, 0, 0, 3, 0, 0, 0, -1], truth=[True, False, False], positive=False)
def test_blocks_are_the_naive_ones(scores, truth, positive):
    blocks = in_blocks(torch.tensor(scores, dtype=torch.float64), 3, positive)
    naive = reference.in_blocks(scores, 3, positive)
    assert blocks.tolist() == naive
    mark = torch.tensor(truth).double()
    same(share(blocks, mark), reference.share(naive, truth))
    same(cosine(blocks, mark), reference.cosine(naive, truth))


@settings(max_examples=30, deadline=None)
@given(steps=st.lists(st.integers(-2, 3), min_size=1, max_size=6), data=st.data())
def test_time_is_the_naive_one(steps, data):
    ink = data.draw(st.lists(st.integers(0, 3), min_size=len(steps), max_size=len(steps)))
    a, b = torch.tensor(steps).double(), torch.tensor(ink).double()
    assert over_time(a).tolist() == pytest.approx(reference.over_time(steps) or [0.0] * len(steps))
    same(moved(a, b), reference.moved(steps, ink))
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


def test_negative_relevance_is_dropped_pixel_by_pixel():
    scores = torch.tensor([4.0, -4.0, 1.0, 1.0, 0.0, 0.0])
    assert in_blocks(scores, 3).tolist() == [0.0, 2.0, 0.0]
    assert in_blocks(scores, 3, positive=True).tolist() == [4.0, 2.0, 0.0]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_nothing_gives_nan(dtype):
    rows = torch.tensor([[0.0] * 3, [1e-40, 0.0, 0.0], [1e30, 1e30, -1e30], [-1.0, -1.0, 0.0]]).to(dtype)
    for measure in (share, cosine, moved, moved_by):
        found = measure(rows, MAJORITY.to(dtype).expand(4, 3))
        assert found.values.isfinite().all()
        assert not found.known[0]
        assert (found.values[~found.known] == 0).all()
    assert share(rows, MAJORITY).known.tolist() == [False, True, True, False]
    assert share(rows, MAJORITY).values[1] == 1.0


def test_members_are_means_of_what_is_known():
    values, known = (
        torch.tensor([[0.5, 1.0, 0.0]] * 2),
        torch.tensor([[True, True, False], [False, True, False]]),
    )
    assert each_member(Located(values, known)).tolist() == [0.75, 1.0]
    message = (
        r"^expected relevance for at least one example of each member, but a member has none: "
        r"explain more examples, or use another explainer$"
    )
    with pytest.raises(BadSetting, match=message):
        each_member(Located(values, known & (torch.arange(2)[:, None] == 0)))


def test_truth_holds_for_every_member():
    blocks = torch.rand(4, 5, 3, generator=torch.Generator().manual_seed(1))
    truth = torch.eye(3)[[0, 1, 2, 0, 1]]
    for measure in (share, cosine):
        together = measure(blocks, truth).values
        assert torch.equal(together, torch.stack([measure(own, truth).values for own in blocks]))


def test_what_is_lost_is_a_share_of_the_evidence():
    lost = torch.tensor([[0.0, -1.0, 5.0], [2.0, 0.0, 0.0]])
    evidence = torch.tensor([[4.0, 4.0, 0.0], [-4.0, 4.0, 2.0]])
    gap = conservation(lost, evidence)
    assert gap.lost.value == pytest.approx((6 / 8 + 2 / 10) / 2)
    assert (gap.median, gap.high, gap.worst, gap.unknown) == (0.0, 0.5, 0.5, 1)
    assert gap.lost.n == 2


def test_quantiles_are_near_numpys():
    draw = torch.Generator().manual_seed(0)
    lost, evidence = torch.rand(3, 400, generator=draw), torch.rand(3, 400, generator=draw) + 0.5
    gap, each = conservation(lost, evidence), (lost / evidence).flatten().double()
    assert gap.median == pytest.approx(each.quantile(0.5).item(), rel=0.01)
    assert gap.high == pytest.approx(each.quantile(0.95).item(), rel=0.01)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: in_blocks(torch.ones(10), 3),
            "expected blocks to divide the 10 scores of an example, but got 3",
        ),
        (
            lambda: share(torch.ones(3), torch.ones(12)),
            "expected truth for 3 blocks, but got 12: sum it with in_blocks",
        ),
        (lambda: moved(torch.ones(3), torch.ones(4)), "expected ink for 3 steps, but got 4"),
        (
            lambda: conservation(torch.ones(3), torch.ones(3)),
            "expected lost and evidence of shape (members, examples), but got (3,) and (3,)",
        ),
        (
            lambda: conservation(torch.ones(1, 2), torch.zeros(1, 2)),
            "expected evidence other than 0 for an example of each member, but there is none",
        ),
    ],
)
def test_wrong_shapes_are_refused(call, message):
    with pytest.raises(BadSetting) as caught:
        call()
    assert str(caught.value) == message
