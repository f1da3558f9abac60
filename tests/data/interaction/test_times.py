from datetime import UTC, date, datetime

import numpy as np
import pyarrow as pa
import pytest

from holdfast.core.errors import BadData
from holdfast.data.interaction.times import EXPECTED, Times, joined, parse_times, without_gaps


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["10", "9", " 11"], "number"),
        (["1.5", "1", "2e1"], "number"),
        (["2001-01-02", "2001-01-01", "2001-01-03"], "date"),
        (["2001-01-01 10:00:01", "2001-01-01T10:00:00", "2001-01-02"], "date"),
        (["2001-01-01T10:00:00Z", "2001-01-01T11:00:00+02:00", "2001-01-01T12:00:00Z"], "date with a zone"),
        ([5, 3, 7], "number"),
        ([0.5, -1.0, 2.0], "number"),
        ([date(2001, 1, 2), date(2001, 1, 1), date(2002, 1, 1)], "date"),
        ([datetime(2001, 1, 1, 2), datetime(2001, 1, 1), datetime(2002, 1, 1)], "date"),
    ],
)
def test_times_are_ordered(values: list, kind: str) -> None:
    found = parse_times(pa.array(values), "here")
    assert found.kind == kind
    assert np.argsort(found.values).tolist() == [1, 0, 2]


def test_zones_of_columns_that_know_them() -> None:
    zoned = pa.array([datetime(2001, 1, 1, tzinfo=UTC), datetime(2000, 1, 1, tzinfo=UTC)])
    assert np.argsort(parse_times(zoned, "here").values).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("values", "row", "shown"),
    [
        (["1", "2", "soon"], 3, "soon"),
        (["1", ""], 2, ""),
        (["yesterday"], 1, "yesterday"),
        (["2001-01-01", "7"], 2, "7"),
        (["1", "nan"], 2, "nan"),
        (["2001-01-01", "01/02/2001"], 2, "01/02/2001"),
        ([1, None], 2, "None"),
    ],
)
def test_times_that_do_not_parse(values: list, row: int, shown: str) -> None:
    with pytest.raises(BadData) as caught:
        parse_times(pa.array(values), "f.csv, column 'time'", 1000)
    assert str(caught.value) == (
        f"f.csv, column 'time': the time '{shown}' in row {1000 + row:,} cannot be read: {EXPECTED}"
    )


def test_blocks_must_be_alike() -> None:
    numbers, dates = Times("number", np.array([1, 2])), Times("date", np.array([3]))
    assert joined([numbers, Times("number", np.array([0.5]))], "x").tolist() == [1, 2, 0.5]
    with pytest.raises(
        BadData, match=r"^x: times are a number in row 1 and a date in row 3: expected numbers"
    ):
        joined([numbers, dates], "x")


@pytest.mark.parametrize(
    "values",
    [
        pa.array(["", "2001-12-31", " null ", "2002-01-01"]),
        pa.array([None, 3, None, 4]),
        pa.array([float("nan"), 3.5, None, 4.5]),
        pa.array([None, datetime(2001, 12, 31), None, datetime(2002, 1, 1)]),
    ],
)
def test_times_that_are_missing_are_told_from_those_that_cannot_be_read(values: pa.Array) -> None:
    filled, gaps = without_gaps(values)
    assert gaps.tolist() == [True, False, True, False]
    times = parse_times(filled, "column 'time'").values
    assert times[1] < times[3]
    assert times[0] == times[1] == times[2]


def test_times_without_gaps_and_no_times_at_all_stay_as_they_are() -> None:
    for values in (pa.array(["1", "soon"]), pa.array(["", None])):
        same, gaps = without_gaps(values)
        assert same is values
        assert not gaps.any()
