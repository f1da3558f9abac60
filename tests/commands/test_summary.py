import os
from pathlib import Path

import pytest

from holdfast.commands.summary import Summaries
from holdfast.core.errors import BadSetting
from holdfast.report.junit import junit
from holdfast.report.markdown import markdown
from tests.study.answers import answer, row


def test_what_is_asked_for_is_written_and_nothing_else(tmp_path: Path) -> None:
    made, xml, text = answer(row("naïve ✓")), tmp_path / "new" / "a.xml", tmp_path / "b.md"
    text.write_text("older")
    summaries = Summaries(xml, text)
    assert (list((tmp_path / "new").iterdir()), text.read_text()) == ([], "older"), "checked, not written yet"
    summaries.write(made)
    assert xml.read_text(encoding="utf-8") == junit(made)
    assert text.read_text(encoding="utf-8") == markdown(made)
    assert sorted(path.name for path in tmp_path.rglob("*.*")) == ["a.xml", "b.md"]
    Summaries().write(made)


@pytest.mark.parametrize("option", ["junit", "markdown"])
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "is a directory"),
        ("file/below.xml", "cannot: File exists"),
        ("pipe", "is a device or a pipe"),
        ("x" * 300, "cannot: File name too long"),
        ("a\0b", "cannot: embedded null byte"),
    ],
)
def test_what_cannot_be_written_is_refused_at_once(tmp_path: Path, option: str, name: str, why: str) -> None:
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadSetting) as caught:
        Summaries(**{option: tmp_path / name})
    message = str(caught.value)
    assert message.startswith(f"expected --{option} to be a file that can be written, but ")
    assert message.endswith(why)


def test_two_summaries_are_two_files(tmp_path: Path) -> None:
    one = tmp_path / "both"
    with pytest.raises(BadSetting) as caught:
        Summaries(one, one)
    assert str(caught.value) == f"expected --junit and --markdown to be two files, but got {one} twice"
