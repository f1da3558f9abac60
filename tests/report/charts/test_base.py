import csv
import io

import pytest

from holdfast.core.errors import BadSetting
from holdfast.report.charts.base import Figure, figure_csv, table


def test_csv_gives_back_every_cell():
    rows = [("a, b", 'say "x"', 0.25), ("line\nbreak", "c", None)]
    figure = Figure("k", "t", "c", "matrix", table("matrix", rows))
    read = list(csv.reader(io.StringIO(figure_csv(figure), newline="")))
    assert read == [["row", "column", "value"], ["a, b", 'say "x"', "0.25"], ["line\nbreak", "c", ""]]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t"])
def test_text_that_a_spreadsheet_would_run_is_quoted(start):
    figure = Figure("k", "t", "c", "matrix", table("matrix", [(f"{start}cmd()", "b", -0.5)]))
    assert figure_csv(figure).splitlines()[1] == f"'{start}cmd(),b,-0.5"


def test_numbers_that_are_not_finite_and_characters_xml_cannot_hold_are_replaced():
    data = table("matrix", [("a\x00\ud800", "b", float("inf"))])
    assert data == {"row": ("a\ufffd\ufffd",), "column": ("b",), "value": (None,)}


def test_another_kind_is_refused():
    with pytest.raises(BadSetting, match=r"^figure kind: expected one of lines, .*, but got 'pie'$"):
        Figure("k", "t", "c", "pie", {})


def test_other_columns_are_refused():
    with pytest.raises(BadSetting, match=r"^figure 'k': expected the columns row, column, value, but got x$"):
        Figure("k", "t", "c", "matrix", {"x": ()})


def test_columns_of_several_lengths_are_refused():
    with pytest.raises(BadSetting, match=r"^figure 'k': expected columns of one length, but got several$"):
        Figure("k", "t", "c", "matrix", {"row": ("a",), "column": (), "value": ()})
