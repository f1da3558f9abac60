from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.records import Explanation, Member
from holdfast.measure.impostors import AnotherInput
from holdfast.measure.survival import Survival, hold_under, restricted, survival_of
from tests.reference.hold import tvd, under

MEMBERS, ROWS, WIDTH = 3, 4, 6


def case(seed=0, signed=False):
    """Explanations of four inputs of five positions each, and of the same inputs without one position."""
    draw = torch.Generator().manual_seed(seed)
    mask = torch.arange(WIDTH).expand(ROWS, WIDTH) < 5
    before, after = (torch.randn(MEMBERS, ROWS, WIDTH, generator=draw) * mask for _ in range(2))
    members = tuple(Member(number) for number in range(MEMBERS))
    explanation = Explanation(before, mask, torch.zeros(ROWS).long(), members, "mine", signed)
    common = mask & (torch.arange(WIDTH) != 2)
    return explanation, after * common, common


def survival(near, far, flipped=None, known=None):
    near, far = (torch.tensor(one, dtype=torch.float64) for one in (near, far))
    flips = torch.zeros(near.shape, dtype=torch.bool) if flipped is None else torch.tensor(flipped)
    some = torch.ones(near.shape[1], dtype=torch.bool) if known is None else torch.tensor(known)
    return Survival("dropped", near, far, some, flips, "another input", True)


@pytest.mark.parametrize("signed", [False, True])
def test_distances_on_the_positions_in_common(signed):
    explanation, after, common = case(signed=signed)
    touched = torch.zeros(ROWS, WIDTH, dtype=torch.bool)
    touched[:3, 2] = True
    both = restricted(explanation, after, common)
    flips = torch.zeros(MEMBERS, ROWS, dtype=torch.bool)
    found = survival_of("dropped", both, touched, AnotherInput(), torch.arange(ROWS), flips)
    assert found.known.tolist() == [True, True, True, False]
    places = [0, 1, 3, 4]
    for m in range(MEMBERS):
        for k in range(ROWS):
            own = explanation.scores[m, k, places].tolist()
            assert float(found.near[m, k]) == pytest.approx(
                tvd(own, after[m, k, places].tolist(), signed), abs=1e-6
            )
            others = [explanation.scores[m, j, places].tolist() for j in range(ROWS) if j != k]
            mean = sum(tvd(own, other, signed) for other in others) / len(others)
            assert float(found.far[m, k]) == pytest.approx(mean, abs=1e-6)


@given(st.integers(0, 50))
def test_the_hold_is_that_of_its_naive_twin(seed):
    draw = torch.Generator().manual_seed(seed)
    near, far = (torch.rand(5, 7, generator=draw).double() + 0.1 for _ in range(2))
    flipped = torch.rand(5, 7, generator=draw) < 0.2
    one = survival(near.tolist(), far.tolist(), flipped.tolist())
    for unflipped in (False, True):
        held = hold_under(one, unflipped)
        kept = (~flipped).tolist() if unflipped else [[True] * 7] * 5
        expected = under(near.tolist(), far.tolist(), kept)
        assert (held.value, held.low, held.high) == pytest.approx(expected, rel=1e-9)
        assert (held.nearest, held.n) == ("another input", 5)


def test_flips_are_counted_over_changed_examples_only():
    flipped = [[True, False, True], [True, False, False], [False, False, False]]
    one = survival([[0.1] * 3] * 3, [[0.5] * 3] * 3, flipped, [True, True, False])
    assert one.flips.value == pytest.approx(2 / 6)
    assert one.flips.low < one.flips.value < one.flips.high


def test_the_same_again_and_the_same_of_every_input():
    assert hold_under(survival([[0.0, 0.0]] * 3, [[0.5, 0.5]] * 3)).value == 1.0
    says_the_same = hold_under(survival([[0.0, 0.0]] * 3, [[0.0, 0.0]] * 3))
    assert (says_the_same.value, says_the_same.high) == (0.0, 0.0)


def test_two_members_have_no_interval_and_nothing_known_no_hold():
    two = hold_under(survival([[0.1, 0.2]] * 2, [[0.5, 0.5]] * 2))
    assert two.value == pytest.approx(0.7)
    assert (two.low, two.high) == (None, None)
    assert hold_under(survival([[0.1]] * 3, [[0.5]] * 3, known=[False])) is None
    assert hold_under(replace(survival([[0.1]] * 3, [[0.5]] * 3), enough=False)) is None
    assert hold_under(survival([[0.1]] * 3, [[0.5]] * 3, [[True]] * 3), unflipped=True) is None
    assert survival([[0.1]] * 3, [[0.5]] * 3, known=[False]).flips is None
