import pytest
import torch

from holdfast.data.base import Task
from holdfast.repair.word_at import WordAt
from holdfast.testing.repair import check_repair
from tests.reference import adversaries
from tests.repair.attacked import CLASSES, ITEMS, LENGTH, WORDS, attacked, losses

PIXELS = Task(0, ("a", "b"), strip=(5, 2, 3))


def test_the_contract():
    check_repair(WordAt())


@pytest.mark.parametrize(
    ("model", "task"),
    [
        ("average:hidden=4,dim=3", CLASSES),
        ("bilstm:hidden=3,dim=3", WORDS),
        ("sasrec:dim=4", ITEMS),
        ("shallow", PIXELS),
    ],
)
def test_every_input_is_moved_by_a_vector_of_its_own(model, task):
    own = attacked(model, task)
    found = losses(WordAt(LENGTH), own)
    for row in range(len(own.batch)):
        expected = adversaries.word_at(own.by_input(row), own.embedded(row), LENGTH)
        torch.testing.assert_close(found[row], expected)
    assert (found > 2 * own.run.losses(own.batch)).any()
