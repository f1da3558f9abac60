from pathlib import Path

import pytest

from holdfast.core.errors import BadData
from holdfast.data.reading import read_lines, read_text, roots


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("a\u2028b\x85c\r\n\nlast".encode())
    assert read_lines(tmp_path / "a.txt") == ["a\u2028b\x85c", "", "last"]


def test_fallback(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"caf\xe9\n")
    assert read_text(tmp_path / "a.txt", "cp1252") == "café\n"


def test_missing_and_directory(tmp_path: Path) -> None:
    with pytest.raises(BadData, match=r"a\.txt does not exist: expected a data file$"):
        read_text(tmp_path / "a.txt")
    with pytest.raises(BadData, match=r"is a directory: expected a data file$"):
        read_text(tmp_path)


def test_roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_DATA", "/env")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert roots(Path("/given")) == [Path("/given"), Path("/env"), Path("/cache/holdfast/data")]
    monkeypatch.delenv("HOLDFAST_DATA")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/somebody")
    assert roots(None) == [Path("/home/somebody/.cache/holdfast/data")]
