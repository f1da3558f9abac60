import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon

from holdfast.core.compare.jensen_shannon import JensenShannon
from holdfast.core.errors import BadSetting, TooFewMembers
from holdfast.core.records import Explanation, Member
from holdfast.measure.against_base import against_base, against_every_base, density, grouped
from holdfast.measure.pairing import over_members
from tests.reference import against_base as reference

MEMBERS = (Member(0), Member(3), Member(5))


def attention(seed, members=MEMBERS, n=12):
    """Weights of texts of one to six words, some of them sharp."""
    draw = torch.Generator().manual_seed(seed)
    mask = torch.arange(6) < torch.randint(1, 7, (n, 1), generator=draw)
    logits = 3.0 * torch.randn(len(members), n, 6, generator=draw, dtype=torch.float64)
    weights = torch.where(mask, logits, -torch.inf).softmax(-1)
    return Explanation(weights, mask, torch.zeros(n, dtype=torch.long), members, "attention", False)


@given(seed=st.integers(0, 99), place=st.integers(0, 2))
def test_it_is_the_naive_one(seed, place):
    said = attention(seed)
    labels = torch.arange(12) % 2
    found = against_base(said, MEMBERS[place])
    naive = reference.against_base(said.scores.tolist(), said.mask.tolist(), place)
    assert found.others == tuple(member for member in MEMBERS if member != MEMBERS[place])
    for row, (largest, bin, distances) in enumerate(naive):
        assert float(found.largest[row]) == pytest.approx(largest)
        assert int(found.bin[row]) == bin
        assert found.distances[:, row].tolist() == pytest.approx(distances, abs=1e-12)
        assert float(found.farthest[row]) == pytest.approx(max(distances), abs=1e-12)
    for group in grouped([found], labels, 2):
        mine = [d for row, (_, bin, d) in enumerate(naive) if (bin, row % 2) == (group.bin, group.label)]
        assert group.farthest.tolist() == pytest.approx([max(d) for d in mine], abs=1e-12)
        assert sorted(group.pairs.tolist()) == pytest.approx(sorted(x for d in mine for x in d), abs=1e-12)


def test_the_divergence_is_that_of_scipy():
    said = attention(7)
    found = against_base(said)
    for row in range(12):
        own = [said.scores[m, row].numpy() for m in range(3)]
        expected = [jensenshannon(own[0], own[m]) ** 2 for m in (1, 2)]
        assert found.distances[:, row].tolist() == pytest.approx(expected, abs=1e-9)


def test_over_every_base_each_pair_counts_twice_and_each_instance_once_a_base():
    said, labels = attention(2), torch.arange(12) % 2
    every = against_every_base(said)
    assert [found.base for found in every] == list(MEMBERS)
    groups = grouped(every, labels, 2)
    assert len(groups) == 4 * 2
    assert sum(len(group.farthest) for group in groups) == 3 * 12
    twice = torch.cat([group.pairs for group in groups]).sort()[0]
    pairs = over_members(said, JensenShannon()).values
    assert torch.allclose(twice, pairs.flatten().repeat(2).sort()[0])


def test_bins_are_closed_below_and_one_is_in_the_last():
    rows = torch.tensor([[0.2, 0.2, 0.2, 0.2, 0.2], [0.25, 0.25, 0.25, 0.25, 0.0], [0.5, 0.5, 0, 0, 0]])
    rows = torch.cat((rows, torch.tensor([[0.75, 0.25, 0, 0, 0], [1.0, 0, 0, 0, 0]])))
    about = (torch.ones(5, 5) > 0, torch.zeros(5, dtype=torch.long), MEMBERS[:2], "attention", False)
    assert against_base(Explanation(rows.expand(2, 5, 5), *about)).bin.tolist() == [0, 1, 2, 3, 3]


@given(values=st.lists(st.floats(0.0, math.log(2)), min_size=1, max_size=30), cells=st.integers(1, 25))
def test_the_area_of_a_density_is_one(values, cells):
    found = density(torch.tensor(values, dtype=torch.float64), cells)
    assert float(found.sum()) * math.log(2) / cells == pytest.approx(1.0)
    assert (found >= 0).all()


def test_the_largest_divergence_is_in_the_last_cell_and_no_values_have_no_density():
    assert density(torch.tensor([math.log(2), 0.0]), 4).tolist() == pytest.approx(
        [2 / math.log(2), 0, 0, 2 / math.log(2)]
    )
    assert density(torch.zeros(0), 3).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (
            lambda: against_base(attention(0, MEMBERS[:1])),
            TooFewMembers,
            "expected at least 2 members to compare, but got 1: train more seeds",
        ),
        (
            lambda: against_base(attention(0), Member(9)),
            BadSetting,
            "expected base to be one of the 3 members, but got seed 9",
        ),
        (lambda: density(torch.zeros(2), 0), BadSetting, "expected at least 1 cell, but got 0"),
    ],
)
def test_what_cannot_be_compared_is_refused(call, error, said):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == said
