"""The loss is the weighted mean; what is watched is scikit-learn's ROC-AUC, ties and all."""

from dataclasses import replace

import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from holdfast.train.objective import hits, objective, roc_auc, watched
from holdfast.train.repair import Nothing
from tests.reference import train as reference
from tests.train.tiny import Bag, start_of, tiny

POINTS = st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 1)), min_size=2, max_size=30)


@given(POINTS)
def test_roc_auc_is_its_twin_and_scikit_learns(points):
    scores, targets = (list(column) for column in zip(*points, strict=True))
    assume(0 < sum(targets) < len(targets))
    found = float(roc_auc(torch.tensor(scores, dtype=torch.float64), torch.tensor(targets)))
    assert found == pytest.approx(reference.roc_auc(scores, targets), abs=1e-12)
    assert found == pytest.approx(roc_auc_score(targets, scores), abs=1e-12)


def test_roc_auc_of_members_is_each_members_own():
    scores = torch.randn(4, 20, generator=torch.Generator().manual_seed(0), dtype=torch.float64).round(
        decimals=1
    )
    targets = torch.arange(20) % 3 % 2
    found = roc_auc(scores, targets)
    assert found.tolist() == [float(roc_auc(own, targets)) for own in scores]


def test_watched_is_roc_auc_for_two_classes_and_accuracy_else():
    logits = torch.tensor([[0.0, -1.0], [0.0, 3.0], [0.0, 2.0], [0.0, 1.0]])
    assert float(watched(logits, torch.tensor([0, 1, 0, 1]))) == pytest.approx(0.75)
    assert float(watched(logits, torch.tensor([1, 1, 1, 1]))) == pytest.approx(0.75), "one class: accuracy"
    three = torch.eye(3)[None].repeat(2, 1, 1)
    assert watched(three, torch.tensor([0, 1, 1])).tolist() == pytest.approx([2 / 3, 2 / 3])


def test_the_objective_is_the_weighted_mean():
    split, start = tiny().split, start_of(1)
    parameters = {name: tensor[0] for name, tensor in start.items()}
    batch = split.batch(torch.arange(4))
    batch = replace(batch, weight=torch.tensor([1.0, 2.0, 0.0, 1.0]))
    found = objective(Bag(), Nothing(), parameters, batch, {}, {})
    weights, expected = (parameters["weight"].tolist(), float(parameters["bias"])), 0.0
    for text, label, share in zip(split.texts, split.classes, (0.25, 0.5, 0.0, 0.25), strict=False):
        z = torch.tensor(weights[1] + sum(weights[0][word] for word in text))
        expected += share * float(torch.nn.functional.softplus(z if label == 0 else -z))
    assert float(found) == pytest.approx(expected, abs=1e-6)


@given(
    st.lists(st.lists(st.integers(-2, 2), min_size=6, max_size=6), min_size=1, max_size=8), st.integers(1, 6)
)
def test_hits_count_what_stands_before_the_target(rows, first):
    targets = [number % 6 for number in range(len(rows))]
    found = float(hits(torch.tensor(rows, dtype=torch.float64), torch.tensor(targets), first))
    ours = [
        sum(other >= row[target] for other in row) <= first for row, target in zip(rows, targets, strict=True)
    ]
    assert found == pytest.approx(sum(ours) / len(ours))


def test_a_recommender_that_knows_nothing_finds_nothing():
    assert float(hits(torch.zeros(4, 101), torch.zeros(4, dtype=torch.long))) == 0.0
