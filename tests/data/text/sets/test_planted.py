import pytest

from holdfast.core.errors import BadSetting
from holdfast.data.text.sets.planted import Planted


def test_sizes() -> None:
    corpus = Planted(train=6, validation=4, test=2).corpus({})
    assert {name: len(part.texts) for name, part in corpus.parts.items()} == {
        "train": 6,
        "validation": 4,
        "test": 2,
    }
    assert corpus.parts["train"].targets == [0, 1, 0, 1, 0, 1]
    assert corpus.notes == ("The reviews are generated; which words decide is known.",)


def test_too_few() -> None:
    with pytest.raises(BadSetting, match=r"^planted: expected test to be at least 2, but got 1$"):
        Planted(test=1)
