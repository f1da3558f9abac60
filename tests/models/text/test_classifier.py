"""What all classifiers share: their word vectors, their settings, their pairs."""

import pytest
import torch

from holdfast.core.errors import BadData, BadSetting
from holdfast.data.base import Task
from holdfast.models.text.average import Average
from holdfast.models.text.classifier import word_vectors
from holdfast.testing.model import build, example


def test_known_vectors_are_kept_and_the_others_drawn_alike():
    torch.manual_seed(0)
    vectors = torch.randn(400, 50) * 0.4 + 0.1
    vectors[:100] = 0.0
    given = vectors.clone()
    table = word_vectors(Task(400, ("no", "yes"), vectors=vectors), 7)
    assert torch.equal(vectors, given)
    assert torch.equal(table[100:], vectors[100:])
    assert not table[0].any()
    assert abs(float(table[1:100].std()) - float(vectors[100:].std())) < 0.02


def test_drawn_vectors_follow_the_seed():
    tables = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        tables.append(word_vectors(Task(30, ("no", "yes")), 5))
    assert tables[0].shape == (30, 5)
    assert torch.equal(tables[0], tables[1])
    assert not torch.equal(tables[0], tables[2])


def test_training_does_not_write_on_the_task():
    vectors = torch.ones(4, 3)
    model = Average(hidden=2).build(Task(4, ("no", "yes"), vectors=vectors))
    with torch.no_grad():
        model.embedding.weight.add_(1.0)
    assert torch.equal(vectors, torch.ones(4, 3))
    assert model.embedding.weight.requires_grad
    assert model.embedding.padding_idx is None


def test_one_known_vector_is_enough():
    vectors = torch.zeros(3, 2)
    vectors[2] = 5.0
    table = word_vectors(Task(3, ("no", "yes"), vectors=vectors), 9)
    assert table.isfinite().all()
    assert torch.equal(table[2], vectors[2])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"dim": 0}, "average: expected dim to be at least 1, but got 0"),
        ({"dropout": 1.0}, r"average: expected dropout to be at least 0 and below 1, but got 1\.0"),
        ({"attention": "soft"}, "average: expected attention to be additive or dot, but got soft"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(BadSetting, match=f"^{message}$"):
        Average(**settings)


def test_a_pair_model_wants_a_query():
    model = build(Average(hidden=4, dim=3), Task(12, ("a", "b", "c"), pair=True))
    message = "^expected a batch of pairs with query and query_mask, but got none: give both texts$"
    with pytest.raises(BadData, match=message):
        model(example(Task(12, ("a", "b", "c"))))


def test_the_query_of_a_pair_is_seen():
    task = Task(12, ("a", "b", "c"), pair=True)
    model, batch = build(Average(hidden=4, dim=3), task), example(task)
    plain = model(batch)
    batch.query[0, 0] = 1 + batch.query[0, 0] % 2
    batch.query[3, 3] = 1 + batch.query[3, 3] % 2  # behind the end of the query
    other = model(batch)
    assert not torch.equal(other.logits[0], plain.logits[0])
    assert not torch.equal(other.attention[0][0], plain.attention[0][0])
    assert torch.equal(other.logits[1:], plain.logits[1:])


def test_dropout_wants_draws_for_states_and_query():
    task = Task(12, ("a", "b", "c"), pair=True)
    model = build(Average(hidden=4, dim=3, dropout=0.2), task)
    assert model.noise(example(task)) == {"states": (5, 6, 4), "query": (5, 4)}
    assert build(Average(hidden=4, dim=3), task).noise(example(task)) == {}
