import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from holdfast.core.errors import BadSetting
from holdfast.measure.ranking import candidate_ranks, hr, mrr, ndcg
from tests.reference import rollout as reference

SCORES = st.lists(st.lists(st.integers(0, 5), min_size=7, max_size=7), min_size=1, max_size=6)


@given(rows=SCORES, k=st.integers(1, 8), data=st.data())
def test_they_are_the_naive_ones(rows, k, data):
    targets = data.draw(st.lists(st.integers(0, 6), min_size=len(rows), max_size=len(rows)))
    ranks = candidate_ranks(torch.tensor(rows, dtype=torch.float64), torch.tensor(targets))
    expected = [reference.rank(row, target) for row, target in zip(rows, targets, strict=True)]
    assert ranks.tolist() == expected
    assert hr(ranks, k).item() == pytest.approx(reference.hr(expected, k))
    assert ndcg(ranks, k).item() == pytest.approx(reference.ndcg(expected, k))
    assert mrr(ranks).item() == pytest.approx(reference.mrr(expected))


def test_ndcg_is_sklearns():
    draw = np.random.default_rng(0)
    scores, targets = draw.normal(size=(40, 101)), draw.integers(0, 101, 40)
    truth = np.eye(101)[targets]
    ranks = candidate_ranks(torch.tensor(scores), torch.tensor(targets))
    for k in (1, 10, 50):
        assert ndcg(ranks, k).item() == pytest.approx(ndcg_score(truth, scores, k=k))


def test_all_are_torchmetrics():
    functional = pytest.importorskip("torchmetrics.functional.retrieval")
    draw = torch.Generator().manual_seed(1)
    scores, targets = torch.rand(30, 21, generator=draw), torch.randint(21, (30,), generator=draw)
    truth = torch.nn.functional.one_hot(targets, 21).bool()
    ranks = candidate_ranks(scores, targets)
    pairs = list(zip(scores, truth, strict=True))
    hits = [functional.retrieval_hit_rate(s, t, top_k=10) for s, t in pairs]
    first = [functional.retrieval_reciprocal_rank(s, t) for s, t in pairs]
    assert hr(ranks, 10).item() == pytest.approx(float(torch.stack(hits).mean()))
    assert mrr(ranks).item() == pytest.approx(float(torch.stack(first).mean()), rel=1e-6)


def test_members_stay_apart():
    scores, targets = torch.randn(3, 5, 11), torch.randint(11, (5,))
    ranks = candidate_ranks(scores, targets)
    assert ranks.shape == (3, 5)
    for name in (hr, ndcg, mrr):
        assert torch.equal(name(ranks), torch.stack([name(member) for member in ranks]))


def test_who_knows_nothing_finds_nothing():
    assert candidate_ranks(torch.zeros(4, 101), torch.zeros(4, dtype=torch.long)).tolist() == [101] * 4


@pytest.mark.parametrize("measure", [hr, ndcg])
def test_the_first_none_are_refused(measure):
    with pytest.raises(BadSetting, match=r"^expected k of at least 1, but got 0$"):
        measure(torch.tensor([1]), k=0)
