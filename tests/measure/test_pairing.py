import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from holdfast.core.catalogue import catalogue, make
from holdfast.core.compare.kl import Kl
from holdfast.core.compare.spearman import Spearman
from holdfast.core.compare.tvd import Tvd
from holdfast.core.errors import BadSetting, TooFewMembers
from holdfast.measure.pairing import (
    across,
    over_members,
    over_methods,
    over_repairs,
    truth_auc,
)
from tests.measure.builders import explanation, random_explanation
from tests.reference import measure as reference


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("name", list(catalogue("comparisons")))
def test_over_members_compares_every_pair_in_both_directions(name, signed):
    comparison, given_ = make("comparisons", name), random_explanation(signed=signed)
    pairs = over_members(given_, comparison)
    assert list(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)) == [
        (0, 1),
        (0, 2),
        (0, 3),
        (1, 2),
        (1, 3),
        (2, 3),
    ]
    for value, i, j in zip(pairs.values, pairs.left, pairs.right, strict=True):
        forward = comparison(given_.scores[i], given_.scores[j], given_.mask, signed)
        backward = comparison(given_.scores[j], given_.scores[i], given_.mask, signed)
        assert torch.allclose(value, (forward + backward) / 2)


def test_one_member_is_too_few():
    with pytest.raises(TooFewMembers, match=r"^stability needs at least two members, but 'mine' has 1$"):
        over_members(random_explanation(members=1), Tvd())


def test_keep_takes_the_pairs_among_some():
    pairs = over_members(random_explanation(members=5), Tvd())
    kept = pairs.keep([1, 3, 4])
    alone = over_members(random_explanation(members=5, seeds=range(5)), Tvd())
    chosen = [k for k in range(10) if {pairs.left[k].item(), pairs.right[k].item()} <= {1, 3, 4}]
    assert torch.equal(kept.values, alone.values[chosen])
    assert (kept.left.tolist(), kept.right.tolist(), kept.n) == ([0, 0, 1], [1, 2, 2], 3)


def test_members_are_matched_by_seed():
    a = random_explanation(members=3, seeds=[4, 8, 15])
    b = random_explanation(members=3, seeds=[15, 16, 4], noise=2.0)
    expected = (
        torch.stack(
            [
                Kl()(a.scores[i], b.scores[j], a.mask) + Kl()(b.scores[j], a.scores[i], a.mask)
                for i, j in ((0, 2), (2, 0))
            ]
        )
        / 2
    )
    assert torch.allclose(over_repairs(a, b, Kl()), expected)


def test_methods_are_compared_by_size_unless_both_are_signed():
    a, b = random_explanation(signed=True), random_explanation(noise=2.0)
    value = over_methods(a, b, Spearman())
    assert torch.allclose(value, Spearman()(a.scores, b.scores, a.mask.expand_as(a.scores), signed=False))
    both = over_methods(a, random_explanation(signed=True, noise=2.0), Spearman())
    assert torch.allclose(both, Spearman()(a.scores, b.scores, a.mask.expand_as(a.scores), signed=True))


def test_strangers_cannot_be_compared():
    a = random_explanation(members=2, seeds=[0, 1])
    with pytest.raises(TooFewMembers, match=r"^'mine' and 'yours' have no member in common"):
        over_methods(a, random_explanation(members=2, seeds=[2, 3], method="yours"), Tvd())
    with pytest.raises(BadSetting, match="to explain the same positions, but their masks differ"):
        over_methods(a, random_explanation(members=2, length=8), Tvd())


POSITION = st.tuples(st.integers(-3, 3), st.booleans(), st.booleans())


@given(positions=st.lists(POSITION, min_size=1, max_size=10))
def test_found_is_the_area_under_the_curve(positions):
    scores, truth, mask = (torch.tensor(column) for column in zip(*positions, strict=True))
    result = truth_auc(explanation(scores.double()[None, None], mask[None], True), truth.double()[None])
    sizes, kinds = scores[mask].abs().tolist(), truth[mask].tolist()
    assert result.known.item() == (len(set(kinds)) == 2)
    if result.known.item():
        assert result.values.item() == pytest.approx(reference.auc(sizes, kinds))
        assert result.values.item() == pytest.approx(roc_auc_score(kinds, sizes))
    else:
        assert result.values.item() == 0.5


def test_truth_of_another_shape_is_refused():
    message = r"^expected truth of shape \(6, 7\), one number for each position, but got \(6, 8\)$"
    with pytest.raises(BadSetting, match=message):
        truth_auc(random_explanation(), torch.zeros(6, 8))


@pytest.mark.parametrize("at_once", [1, 40, 2**20])
def test_every_member_against_every_other_scores_block_by_block(monkeypatch, at_once):
    monkeypatch.setattr("holdfast.measure.pairing.AT_ONCE", at_once)
    one = random_explanation(members=3, examples=5, signed=True)
    others = random_explanation(members=2, examples=5, seed=1).scores * one.mask
    apart = across(one, others)
    for m in range(3):
        for n in range(2):
            torch.testing.assert_close(apart[m, n], Tvd()(one.scores[m], others[n], one.mask, signed=True))
    assert across(one, others[:0]).shape == (3, 0, 5)
