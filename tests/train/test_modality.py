"""Classifiers unless a file says otherwise."""

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
    assert own.chance(LOGITS, torch.tensor([0, 0, 1, 0])) == (
        0.75,
        "always predicting the most common class",
    )
