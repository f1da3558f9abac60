import pytest

from holdfast.core.errors import BadSetting
from holdfast.data.sources import Source, load


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
