"""Planted cloze questions as a named set."""

import pytest

from holdfast.core.errors import BadSetting
from holdfast.data.source import Source, load
from holdfast.data.text.sets.planted_cloze import PlantedCloze
from holdfast.testing.dataset import check_dataset


def test_contract(stories) -> None:
    check_dataset(stories, lambda: load(Source("planted-cloze:train=160,validation=40,test=40")))


def test_other_sizes_do_not_change_the_test_stories(stories) -> None:
    other = load(Source("planted-cloze:train=20,validation=40,test=40"))
    assert all(other.tokens("test", row) == stories.tokens("test", row) for row in range(40))


def test_bad_sizes() -> None:
    with pytest.raises(BadSetting, match=r"^planted-cloze: expected test to be at least 2, but got 1$"):
        PlantedCloze(test=1)


def test_a_question_is_read_as_the_data_sets_own(stories) -> None:
    test = stories.splits["test"]
    text, question = " ".join(stories.tokens("test", 3)), stories.query("test", 3)
    batch = stories.read([text], [question.replace("@placeholder", "____")])
    own = test.batch(batch.rows + 3)
    assert batch.inputs.tolist() == own.inputs.tolist()
    assert batch.query.tolist() == own.query.tolist()
    assert batch.options.tolist() == own.options.tolist()
