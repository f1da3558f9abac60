"""What all classifiers share: their settings, their pairs."""

from dataclasses import replace

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadData, BadSetting
from holdfast.data.base import Task
from holdfast.models.text.average import Average
from holdfast.testing.model import build, check_model, example
from tests.models.text.twin import CLOZE


def test_training_does_not_write_on_the_task():
    vectors = torch.ones(4, 3)
    model = Average(hidden=2).build(Task(4, ("no", "yes"), vectors=vectors))
    with torch.no_grad():
        model.embedding.weight.add_(1.0)
    assert torch.equal(vectors, torch.ones(4, 3))
    assert model.embedding.weight.requires_grad
    assert model.embedding.padding_idx is None


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


@pytest.mark.parametrize(
    "name", ["cnn:filters=2", "bilstm:hidden=4", "rnn:hidden=4", "average:hidden=4", "transformer:hidden=4"]
)
def test_contract_of_cloze_questions(name):
    check_model(make("models", name), CLOZE)


def test_a_model_of_cloze_questions_wants_options():
    model, batch = build(Average(hidden=4, dim=3), CLOZE), example(CLOZE)
    with pytest.raises(BadData, match="expected a batch of cloze questions"):
        model(replace(batch, options=None))


def test_entities_that_the_passage_does_not_name_get_nothing():
    model, batch = build(Average(hidden=4, dim=3), CLOZE), example(CLOZE)
    trace = model(batch)
    probabilities = trace.logits.softmax(-1)
    assert not probabilities[~batch.options].any()
    assert probabilities[batch.options].all()
    some = model.subsets(batch.take(torch.tensor([1])), torch.eye(6, dtype=torch.bool))
    assert not some.softmax(-1)[:, ~batch.options[1]].any()


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
