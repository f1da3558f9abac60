import pytest

from holdfast.core.errors import BadSetting
from holdfast.data.source import Source, load
from holdfast.studies.relevance.names import data_of


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "mnist:steps=5",
            r"^mnist: expected steps to divide the width of 28 pixels \(1, 2, 4, 7, 14, 28\), but got 5$",
        ),
        (
            "mnist-maj:steps=0",
            r"^mnist-maj: expected steps to divide the width of 84 pixels \(.*\), but got 0$",
        ),
        ("mnist:folds=1", r"^mnist: expected folds to be 0 \(none\) or 2 or more, but got 1$"),
        ("mnist:limit=3", r"^mnist: expected limit to be at least 20 \(two of each class\), but got 3$"),
    ],
)
def test_bad_settings(text: str, sentence: str) -> None:
    with pytest.raises(BadSetting, match=sentence):
        load(Source(text))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("digits", "digits"),
        ("digits-maj:folds=3", "digits-maj"),
        ("digits-maj:steps=12", "digits-maj"),
        ("digits:steps=2", "digits:steps=2"),
        ("digits:limit=60,seed=1", "digits:seed=1,limit=60"),
        ("digits-maj:limit=600,folds=3,steps=6", "digits-maj:steps=6,limit=600"),
    ],
)
def test_names_tell_other_examples_apart(text: str, name: str) -> None:
    assert load(Source(text)).name == name
    assert data_of(name) == text.partition(":")[0]


def test_the_limit_of_a_source_is_in_the_name() -> None:
    assert load(Source("digits", limit=60)).name == "digits:limit=60"
