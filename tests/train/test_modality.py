"""Classifiers unless a file says otherwise."""

from dataclasses import replace

import torch

from holdfast.train.modality import Modality, modality
from holdfast.train.objective import watched

LOGITS = torch.tensor([[[0.0, 1.0], [0.0, -1.0], [0.0, 2.0], [0.0, 0.5]]])
TARGETS = torch.tensor([1, 0, 1, 0])


def test_a_modality_without_a_file_has_classifiers() -> None:
    for kind in ("text", "image", "features"):
        assert type(modality(kind)) is Modality


def test_classifiers_are_right_where_the_most_probable_class_is_the_true_one() -> None:
    own = Modality()
    assert own.right(LOGITS.softmax(-1), TARGETS).tolist() == [[1.0, 1.0, 1.0, 0.0]]
    assert torch.equal(own.watched(LOGITS, TARGETS), watched(LOGITS, TARGETS))


def test_chance_is_the_most_common_class(planted) -> None:
    assert Modality().chance(LOGITS, planted) == (0.5, "always predicting the most common class")


def test_chance_of_cloze_questions_is_one_of_the_entities(stories) -> None:
    test = stories.splits["test"]
    share, way = Modality().chance(LOGITS, stories)
    assert way.startswith("picking ")
    assert share >= sum(1 / int(row.sum()) for row in test.options) / len(test) - 1e-9


def test_chance_knows_an_entity_that_is_usually_the_answer(stories) -> None:
    test, train = stories.splits["test"], stories.splits["train"]
    biased = replace(test, classes=test.options.int().argmax(1))
    prior = replace(train, classes=train.options.int().argmax(1))
    skewed = replace(stories, splits={**stories.splits, "test": biased, "train": prior})
    share, way = Modality().chance(LOGITS, skewed)
    assert share > 0.6
    assert way == "picking the passage’s entity that is most often the answer"
