import pytest

from holdfast.core.errors import BadSetting
from holdfast.report.page import Section, Span, Table


def test_a_span_outside_the_scale_is_drawn_at_its_end():
    span = Span(-0.2, -0.4, 1.3, scaled=True)
    assert (span.dot, span.left, span.width) == ("0.0%", "0.0%", "100.0%")
    assert (span.text, span.interval) == ("0.00", "[0.00, 1.00]")


def test_what_is_below_a_limit_never_reads_as_the_limit():
    assert (Span(0.699, 0.699, 0.8, scaled=True).text, Span(0.699, down=True).text) == ("0.69", "0.69")
    assert Span(1.237, -0.127, 1.5, down=True).interval == "[−0.13, 1.50]"


def test_a_share_is_a_percentage():
    span = Span(0.871, 0.86, 0.88, share=True)
    assert (span.text, span.interval) == ("87.1 %", "[86.0, 88.0]")


def test_a_ratio_is_so_many_times():
    span = Span(0.02, 1e-9, 4.0, ratio=True)
    assert (span.text, span.interval) == ("÷ 50.0", "[over ÷ 10000, × 4.00]")


def test_what_is_tiny_keeps_the_digits_that_say_something():
    span = Span(0.000399, 0.0, 12.345, exact=True)
    assert (span.text, span.interval) == ("0.000399", "[0, 12.3]")


def test_what_is_missing_is_a_dash():
    assert (Span(None).text, Span(None).interval) == ("–", "")


def test_a_row_has_a_cell_for_each_column():
    with pytest.raises(BadSetting, match=r"^table 't': expected 2 cells in a row, but got 1$"):
        Table(("a", "b"), (("x",),), "t")


def test_a_section_without_rows_is_empty():
    assert Section("t", "text", tables=[Table(("a",), ())]).empty
    assert not Section("t", notes=["n"]).empty
