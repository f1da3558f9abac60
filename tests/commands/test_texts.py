import io
from pathlib import Path

import pytest

from holdfast.commands.texts import LONGEST, MOST, read_texts
from holdfast.core.errors import BadData


def test_one_text_a_line_and_empty_ones_are_counted(tmp_path: Path) -> None:
    data = "\ufeffgood film\r\n\n  \nnot \u2028 bad".encode()
    (tmp_path / "texts.txt").write_bytes(data)
    for source in (tmp_path / "texts.txt", io.BytesIO(data)):
        assert read_texts(source) == (("good film", "not \u2028 bad"), 2)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"\n \n", "standard input has no text: expected one text a line"),
        (
            b"good\nna\xefve",
            "standard input is not UTF-8 text: byte 0xef in line 2 cannot be read; save it as UTF-8",
        ),
        (
            b"good\n" * (MOST + 1),
            f"standard input: expected at most {MOST} texts, but there are more: split it",
        ),
        (
            b"a" * (LONGEST + 1),
            f"standard input: expected lines of at most {LONGEST:,} bytes, but line 1 is longer",
        ),
    ],
)
def test_bad_input_is_one_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(BadData) as caught:
        read_texts(io.BytesIO(data))
    assert str(caught.value) == sentence


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadData, match=r"does not exist: expected a file with one text a line$"):
        read_texts(tmp_path / "nowhere.txt")
