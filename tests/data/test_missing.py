from pathlib import Path

import pytest

from holdfast.core.errors import BadData
from holdfast.data.missing import drop


def test_nothing_is_missing() -> None:
    assert drop(Path("a.csv"), 4, {"text": [], "label": []}, strict=True) == []


def test_a_few_are_counted() -> None:
    assert drop(Path("a.csv"), 100, {"text": [], "label": [7]}) == ["1 of 100 rows had no label: dropped."]
    three = {"text": [1, 2], "label": [4], "query": [3]}
    assert drop(Path("a.csv"), 1000, three) == [
        "2 of 1,000 rows had no text, 1 no label and 1 no query: dropped."
    ]


def test_many_are_refused() -> None:
    with pytest.raises(BadData) as caught:
        drop(Path("a.csv"), 2000, {"text": range(1, 1200)})
    assert str(caught.value) == (
        "a.csv: 1,199 of 2,000 rows have no text (rows 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 1187 more): "
        "more than 5 % are not dropped: fix or remove them, or name another column"
    )
