import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.plain import printable


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("naïve “quotes” … 好", "naïve “quotes” … 好"),
        ("two\nlines\r\n", "two lines  "),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("right\u202eto left", "right\\u202eto left"),
        ("c1 \x9b31m", "c1 \\x9b31m"),
        ("half \udcff", "half \\udcff"),
    ],
)
def test_what_is_shown(text: str, safe: str) -> None:
    assert printable(text) == safe


@given(st.text(st.characters()))
def test_always_one_line_that_can_be_printed(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable() or shown == ""
    assert printable(shown) == shown
    shown.encode()
