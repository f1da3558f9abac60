import numpy as np
import pyarrow as pa
import pytest

from holdfast.core.errors import BadData
from holdfast.data.frame import Frame

COLUMNS = {"text": ["a good film", None, "naïve"], "label": [1, 0, 1]}


class Stream:
    """What polars, DuckDB and others have: the Arrow PyCapsule interface, and nothing else."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def pandas_frame() -> object:
    return pytest.importorskip("pandas").DataFrame(COLUMNS)


SAME = {
    "arrow": lambda: pa.table(COLUMNS),
    "pandas": pandas_frame,
    "categories": lambda: pandas_frame().astype({"text": "category"}),  # type: ignore[attr-defined]
    "stream": lambda: Stream(pa.table(COLUMNS)),
    "views": lambda: {"text": pa.array(COLUMNS["text"], pa.string_view()), "label": COLUMNS["label"]},
    "numpy": lambda: {name: np.array(values, object) for name, values in COLUMNS.items()},
    "pieces": lambda: pa.concat_tables([pa.table(COLUMNS)[:1], pa.table(COLUMNS)[1:]]),
    "a part": lambda: pa.table({name: [values[0], *values] for name, values in COLUMNS.items()})[1:],
    "batches": lambda: pa.table(COLUMNS).to_reader(1),
}


@pytest.mark.parametrize("kind", SAME)
def test_the_same_contents_are_the_same_table_whoever_holds_them(kind: str) -> None:
    frame, known = Frame.of(SAME[kind]()), Frame.of(COLUMNS)
    assert frame.sha256 == known.sha256
    assert dict(frame.columns) == COLUMNS
    assert frame.columns.rows == 3
    assert "other" not in frame.columns


def test_other_contents_are_another_table() -> None:
    others = [
        COLUMNS | {"label": [1, 0, 0]},
        COLUMNS | {"label": [1.0, 0.0, 1.0]},
        COLUMNS | {"text": ["a good film", "", "naïve"]},
        {"label": COLUMNS["label"], "text": COLUMNS["text"]},
        COLUMNS | {"more": [1, 2, 3]},
    ]
    assert len({Frame.of(one).sha256 for one in (COLUMNS, *others)}) == 6


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (5, r"^cannot read data of type int \(.*\): expected a name, a file, a data frame"),
        (
            ["a", "b"],
            r"^cannot read data of type list \(.*\): expected .* as in \{'text': \[\.\.\.\], 'label'",
        ),
        ({"text": ["a"], "label": [1, 2]}, r"label expected length 1 but got length 2\): expected a name"),
        ({"text": ["a"], "label": []}, r"label expected length 1 but got length 0"),
        ({"label": [1, "x"]}, r"^cannot read data of type dict \(.*'x'"),
        ({}, r"^the table has no rows: expected some"),
        ({"text": []}, r"^the table has no rows: expected some"),
        (pa.table([["a"], ["b"]], ["t", "t"]), r"^table has more than one column named 't'"),
    ],
)
def test_what_is_no_table(data: object, sentence: str) -> None:
    with pytest.raises(BadData, match=sentence):
        Frame.of(data)


def test_values_that_cannot_be_read_are_named_when_they_are_used() -> None:
    far = pa.array([2**62], pa.timestamp("s"))
    frame = Frame.of({"text": ["a"], "when": far})
    assert frame.columns["text"] == ["a"]
    with pytest.raises(BadData, match=r"^table: column 'when' has values that cannot be read"):
        _ = frame.columns["when"]
