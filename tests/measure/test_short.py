"""Short inputs are reported apart where they are many."""

import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.measure.impostors import AnotherInput, Shuffled
from holdfast.measure.scale import scale_of
from holdfast.measure.short import apart, short_inputs
from tests.measure.builders import explanation
from tests.reference import hold as reference

NUMBERS = re.compile(r"(\d\.\d\d) \[(\d\.\d\d), (\d\.\d\d)\]")


def explained(lengths, members=4, noise=0.3):
    draw = torch.Generator().manual_seed(1)
    width = max(lengths)
    signal = torch.rand(1, len(lengths), width, generator=draw, dtype=torch.float64) ** 3
    own = signal + noise * torch.rand(members, len(lengths), width, generator=draw, dtype=torch.float64)
    return explanation(own, torch.arange(width) < torch.tensor(lengths)[:, None])


def said(lengths, part="word"):
    given_ = explained(lengths)
    scale = scale_of(given_, [Shuffled(), AnotherInput()])
    return scale, short_inputs(scale, given_.mask.sum(-1), part)


@given(st.lists(st.integers(1, 7), min_size=1, max_size=12))
def test_the_naive_twin_agrees(lengths):
    bins = [bin.mask.nonzero()[:, 0].tolist() for bin in apart(torch.tensor(lengths))]
    assert bins == reference.short_and_longer(lengths)


@pytest.mark.parametrize(("short", "parts"), [(20, 0), (21, 2)])
def test_a_fifth_is_not_more_than_a_fifth(short, parts):
    assert len(apart(torch.tensor([2] * short + [9] * (100 - short)))) == parts


def test_the_holds_said_are_those_of_loops():
    """Distances between members by loops, over the inputs that loops choose."""
    lengths = [2, 3] * 20 + [5, 6] * 20
    scale, told = said(lengths)
    assert told.startswith("50 % of the examples have at most three words: their hold is ")
    scores = explained(lengths).scores.tolist()
    for places, printed in zip(reference.short_and_longer(lengths), NUMBERS.findall(told), strict=True):
        pairs = list(zip(scale.between.left.tolist(), scale.between.right.tolist(), strict=True))
        near = {
            (i, j): [reference.tvd(scores[i][k][: lengths[k]], scores[j][k][: lengths[k]]) for k in places]
            for i, j in pairs
        }
        ends = []
        for table in scale.impostors.values():
            far = {pair: table.pairs.values[p, places].tolist() for p, pair in enumerate(pairs)}
            ends.append(reference.hold(near, far, 4))
        assert tuple(map(float, printed)) == pytest.approx(
            [min(end) for end in zip(*ends, strict=True)], abs=0.01
        )


def test_what_has_one_position_is_counted_and_left_out():
    assert said([1] + [6] * 39)[1] == "1 of 40 examples has only one word and is left out of hold."
    assert said([1] * 12 + [6] * 40)[1] == "12 of 52 examples have only one word and are left out of hold."
    told = said([1] * 3 + [2] * 35 + [6] * 35, "item")[1]
    assert told.startswith("52 % of the examples have at most three items: their hold is ")
    assert told.endswith(". 3 of 73 examples have only one item and are left out of hold.")


def test_where_there_is_nothing_longer_or_nothing_short_there_is_nothing_to_tell_apart():
    assert said([2, 3] * 20)[1] == "All examples have at most three words."
    assert said([3] + [6] * 39)[1] == ""
    assert said([1] * 40)[1] == ""


def test_a_hold_below_0_is_0():
    """Of two words, half of the members name the one and half the other."""
    lengths = [2] * 40 + [8] * 40
    given_ = explained(lengths)
    scores = given_.scores.clone()
    scores[:, :40] = 0.0
    scores[:2, :40, 0] = scores[2:, :40, 1] = 1.0
    scale = scale_of(explanation(scores, given_.mask), [AnotherInput()])
    assert "their hold is 0.00, that" in short_inputs(scale, given_.mask.sum(-1), "word").replace(
        " [0.00, 0.00]", ""
    )
