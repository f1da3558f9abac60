from types import SimpleNamespace

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.data.base import Task
from holdfast.models.image.shallow import Shallow
from holdfast.repair import word_iat
from holdfast.repair.word_iat import WordIat, nearest
from holdfast.testing.repair import check_repair
from holdfast.train.family import template
from tests.reference import adversaries
from tests.repair.attacked import ITEMS, LENGTH, WORDS, attacked, losses

STRIPS = Task(0, ("a", "b"), strip=(5, 2, 3))


def test_the_contract():
    check_repair(WordIat())


@pytest.mark.parametrize(("model", "task"), [("average:hidden=4,dim=3", WORDS), ("sasrec:dim=4", ITEMS)])
def test_words_move_towards_their_neighbours(model, task):
    own = attacked(model, task)
    table = own.run.parameters["embedding.weight"]
    table[5] = table[6]  # equal vectors have no direction
    near = {word: adversaries.nearest(table, word, 3) for word in range(task.vocabulary)}
    found = losses(WordIat(LENGTH, 3), own)
    for row in range(len(own.batch)):
        words, exists = own.batch.inputs[row].tolist(), own.batch.mask[row].tolist()
        about = own.embedded(row), words, exists, table, near, LENGTH
        torch.testing.assert_close(found[row], adversaries.word_iat(own.by_input(row), *about))


def test_neighbours_are_the_nearest_in_any_block(monkeypatch):
    monkeypatch.setattr(word_iat, "BLOCK", 4)
    table = torch.randn(11, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    found = nearest(table, 4)
    for word in range(1, 11):
        assert found[word].tolist() == adversaries.nearest(table, word, 4)


def test_of_few_words_all_are_neighbours():
    memory = WordIat(neighbours=15).begin({"embedding.weight": torch.randn(5, 2)}, Task(5, ("no", "yes")))
    assert sorted(memory["nearest"][2].tolist()) == [1, 3, 4]


@pytest.mark.parametrize(("task", "model"), [(Task(2, ("no", "yes")), "cnn"), (STRIPS, "shallow")])
def test_without_a_neighbour_it_is_refused(task, model):
    with pytest.raises(BadSetting) as error:
        WordIat().suits(template(make("models", model), task), SimpleNamespace(task=task))
    assert str(error.value) == (
        "word_iat: expected two words or more, which can be neighbours, but these data have fewer: "
        "choose word_at"
    )


WITHOUT = "word_iat: expected word vectors that train, but this model has none: choose word_at"


def test_without_vectors_that_train_it_is_refused():
    own = attacked("shallow", STRIPS)
    assert Shallow.reads == ("image", "text")
    with pytest.raises(BadSetting) as error:
        WordIat().losses(own.run, own.batch, {}, {})
    assert str(error.value) == WITHOUT


@pytest.mark.parametrize("repair", ["word_iat", "word_iat+aswa"])
def test_a_checkpoint_is_refused_before_anything_trains(tmp_path, repair):
    from tests.models.text.checkpoints import TWO, write_checkpoint

    bert = make("models", f"bert:path={write_checkpoint(tmp_path)},trains=all")
    data = SimpleNamespace(task=TWO)
    with pytest.raises(BadSetting) as error:
        make("repairs", repair).suits(template(bert, TWO), data)
    assert str(error.value) == WITHOUT
    make("repairs", repair).suits(template(make("models", "cnn"), TWO), data)


@pytest.mark.parametrize("neighbours", [0, 1025])
def test_neighbours_that_cannot_be(neighbours):
    with pytest.raises(BadSetting) as error:
        WordIat(neighbours=neighbours)
    assert str(error.value) == f"word_iat: expected neighbours from 1 to 1024, but got {neighbours}"
