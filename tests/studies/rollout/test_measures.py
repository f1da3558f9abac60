from dataclasses import replace

import pytest
import scipy.stats
import torch

from holdfast.studies.rollout.measures import Agreements
from holdfast.studies.rollout.names import FIRST, GRADIENT, HEADS, LAST, ROLLOUT, SHAPLEY, SIGNED, Shape
from tests.reference import compare, rollout
from tests.study.rollout_families import family, made

ONE, TWO = Shape("sasrec", 1, 1), Shape("sasrec", 2, 1)


def explained(scores, **signed):
    """A family with these explanations of three members for two users with four items."""
    found = {name: made(own, name=name, signed=signed.get(name, False)) for name, own in scores.items()}
    rows, target = torch.arange(2), torch.zeros(2, dtype=torch.long)
    return replace(family(), rows=rows, target=target, explanations=found)


def drawn(seed):
    return torch.randn(3, 2, 4, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def value(rows, quantity, **about):
    found = [r for r in rows if r.quantity == quantity and all(getattr(r, k) == v for k, v in about.items())]
    assert len(found) == 1, found
    return found[0].value


def test_correlations_are_scipys_by_size():
    gradient, shapley, first = drawn(0).abs(), drawn(1), drawn(2).abs()
    made_of = {GRADIENT: gradient, "shapley:samples=64": shapley, FIRST: first}
    rows = list(Agreements(explained(made_of, **{"shapley:samples=64": True}), TWO).rows())
    for name, scores in ((GRADIENT, gradient), (SHAPLEY, shapley.abs())):
        for member in range(3):
            each = [scipy.stats.spearmanr(scores[member, k], first[member, k]).statistic for k in range(2)]
            found = value(
                rows, "correlation", explainer=name, other_explainer=FIRST, by="member", member=str(member)
            )
            assert found == pytest.approx(sum(each) / 2)


def test_a_single_block_has_no_last_one_and_several_no_table_of_gains():
    scores = {name: drawn(place).abs() for place, name in enumerate((GRADIENT, FIRST, LAST, SHAPLEY))}
    single = list(Agreements(explained(scores), ONE).rows())
    several = list(Agreements(explained(scores), TWO).rows())
    assert not [r for r in single if LAST in (r.explainer, r.other_explainer)]
    assert [r for r in several if r.other_explainer == LAST]
    assert [r for r in single if r.quantity in ("top", "wilcoxon", "histogram")]
    assert not [r for r in several if r.quantity in ("top", "wilcoxon", "histogram")]


def test_the_top_heavy_measures_are_the_naive_ones():
    shapley, first = drawn(3), drawn(4).abs()
    rows = list(Agreements(explained({SHAPLEY: shapley, FIRST: first}, shapley=True), ONE).rows())
    for text, naive, rank in (
        ("ndcg_log", compare.ndcg_log, 0),
        ("ndcg_lin", compare.ndcg_lin, 0),
        ("ndcg_log:first_rank=1", compare.ndcg_log, 1),
        ("ndcg_lin:first_rank=1", compare.ndcg_lin, 1),
    ):
        each = [naive(shapley[0, k].tolist(), first[0, k].tolist(), False, rank) for k in range(2)]
        found = value(rows, "top", comparison=text, by="member", member="0")
        assert found == pytest.approx(sum(each) / 2)
    gain = value(rows, "top_gain", comparison="ndcg_lin", by="all")
    means = [value(rows, "top", comparison=text, by="all") for text in ("ndcg_lin", "ndcg_log")]
    assert gain == pytest.approx(means[0] - means[1])


def test_wilcoxon_is_one_sided_and_the_middle_seed_speaks():
    shapley, first = drawn(3), drawn(4).abs()
    rows = list(Agreements(explained({SHAPLEY: shapley, FIRST: first}, shapley=True), ONE).rows())
    each = [r.value for r in rows if (r.quantity, r.by, r.comparison) == ("wilcoxon", "member", "ndcg_lin")]
    assert value(rows, "wilcoxon", by="all", comparison="ndcg_lin") == sorted(each)[1]
    change = [
        compare.ndcg_log(shapley[0, k].tolist(), first[0, k].tolist(), False)
        - compare.ndcg_lin(shapley[0, k].tolist(), first[0, k].tolist(), False)
        for k in range(2)
    ]
    assert each[0] == pytest.approx(scipy.stats.wilcoxon(change, alternative="less").pvalue)


def test_entropy_is_of_the_first_block():
    first = drawn(5).abs()
    rows = list(Agreements(explained({FIRST: first}), TWO).rows())
    expected = sum(rollout.entropy(first[1, k].tolist()) for k in range(2)) / 2
    assert value(rows, "entropy", by="member", member="1") == pytest.approx(expected)


def test_across_seeds_nothing_is_left_where_members_have_nothing_in_common():
    """Every member agrees with itself, and its neighbour is turned round."""
    up = torch.tensor([1.0, 2.0, 3.0, 4.0])
    scores = torch.stack([up, up.flip(0), up, up.flip(0)])[:, None].expand(4, 24, 4)
    found = {name: made(scores, name=name) for name in (GRADIENT, ROLLOUT)}
    four = replace(family(members=4), explanations=found)
    rows = list(Agreements(four, TWO).rows())
    assert value(rows, "correlation", by="all") == pytest.approx(1.0)
    assert value(rows, "correlation_crossed") == pytest.approx(-1.0)
    assert value(rows, "correlation_seeds") == pytest.approx(0.0)


def test_seeds_that_differ_are_seen():
    up = torch.tensor([1.0, 2.0, 3.0, 4.0])
    other = torch.stack([up, up, up.flip(0)])[:, None].expand(3, 2, 4)
    same = up.expand(3, 2, 4)
    rows = list(Agreements(explained({GRADIENT: same, ROLLOUT: other}), TWO).rows())
    expected = torch.tensor([1.0, 1.0, -1.0]).std().item()
    assert value(rows, "correlation_seeds") == pytest.approx(expected)
    assert value(rows, "correlation_user") == pytest.approx(expected)


def test_users_are_counted_by_tenths():
    up = torch.tensor([1.0, 2.0, 3.0, 4.0])
    other = torch.stack([up, up.flip(0)])[None].expand(3, 2, 4)
    rows = list(Agreements(explained({GRADIENT: up.expand(3, 2, 4), FIRST: other}), ONE).rows())
    shares = {r.bin: r.value for r in rows if r.quantity == "histogram"}
    assert (shares["0.95"], shares["-0.95"], sum(shares.values())) == (0.5, 0.5, 1.0)


def test_reasons_that_speak_against_are_counted():
    shapley = torch.tensor([3.0, -2.0, 1.0, -1.0]).expand(3, 2, 4)
    first = torch.tensor([0.1, 0.6, 0.2, 0.1]).expand(3, 2, 4)
    signed = torch.tensor([0.5, -0.6, 0.2, -0.1]).expand(3, 2, 4)
    nothing = -torch.ones(3, 2, 4)
    given = {SHAPLEY: shapley, FIRST: first, SIGNED: signed, "leave_one_out": nothing}
    rows = list(
        Agreements(explained(given, shapley=True, signed_attention=True, leave_one_out=True), TWO).rows()
    )
    assert value(rows, "against", explainer=FIRST, by="all") == pytest.approx(1 / 3)
    assert value(rows, "against", explainer=SIGNED, by="all") == 0.0
    assert value(rows, "reasons", explainer=SIGNED) == 1.0
    assert value(rows, "reasons", explainer="leave_one_out") == 0.0


def test_heads_are_compared_with_each_other():
    scores = {GRADIENT: drawn(6).abs()}
    heads = (made(drawn(7).abs(), name="h"), made(drawn(8).abs(), name="h"))
    rows = list(Agreements(explained(scores), Shape("sasrec", 2, 2), heads).rows())
    pairs = {(r.explainer, r.other_explainer) for r in rows if r.quantity == "correlation"}
    assert pairs == {(GRADIENT, HEADS[0]), (GRADIENT, HEADS[1]), HEADS}
