"""Every modality has examples for its models, and data sets of its own."""

import pytest
import torch

from holdfast.core.errors import BadData
from holdfast.data.base import Task
from holdfast.data.modality import modalities
from holdfast.data.source import Source, load
from holdfast.testing.modality import modality
from tests.models.features.cases import task

TASKS = {
    "text": Task(9, ("no", "yes")),
    "image": Task(0, ("no", "yes"), strip=(4, 3, 2)),
    "interaction": Task(9, (), length=9),
    "features": task(sizes=(1, 3, 1, 2)),
}


@pytest.mark.parametrize("kind", modalities())
def test_an_example_is_full_and_another_has_nothing(kind: str) -> None:
    batch = modality(kind).example(TASKS[kind], 4, 0)
    assert batch.mask.sum(1).tolist() == [4, 2, 2, 1, 0]
    assert torch.equal(modality(kind).example(TASKS[kind], 4, 0).inputs, batch.inputs)


def test_data_of_another_modality_are_refused() -> None:
    with pytest.raises(BadData, match=r"^'digits': expected TextDataset, but got ImageDataset$"):
        modality("text").check(load(Source("digits")))
