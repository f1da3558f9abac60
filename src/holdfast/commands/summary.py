"""Summaries of an audit for other programs: JUnit XML, and Markdown for a pull request."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from holdfast.core.errors import BadSetting
from holdfast.core.files import write
from holdfast.core.plain import short
from holdfast.report.junit import junit
from holdfast.report.markdown import markdown
from holdfast.study.answer import Answer

Render = Callable[[Answer], str]


@dataclass(frozen=True)
class Summaries:
    """Where to write each of them; None is not at all. A path that cannot be written is refused at once."""

    junit: Path | None = None
    markdown: Path | None = None

    def __post_init__(self) -> None:
        for option, path, _ in self._each():
            _check(option, path)
        if self.junit is not None and self.junit == self.markdown:
            raise BadSetting(
                f"expected --junit and --markdown to be two files, but got {short(self.junit)} twice"
            )

    def write(self, answer: Answer) -> None:
        """Write what was asked for, the same bytes for the same answer."""
        for _, path, render in self._each():
            write(path, render(answer).encode())

    def _each(self) -> list[tuple[str, Path, Render]]:
        pairs = (("--junit", self.junit, junit), ("--markdown", self.markdown, markdown))
        return [(option, path, render) for option, path, render in pairs if path is not None]


def _check(option: str, path: Path) -> None:
    """Refuse what cannot be written: an audit takes long, and its summary is written last."""
    expected = f"expected {option} to be a file that can be written, but"
    try:
        if path.exists() and not path.is_file():
            what = "a directory" if path.is_dir() else "a device or a pipe"
            raise BadSetting(f"{expected} {short(path)} is {what}")
        aside = path.with_name(f".{path.name}.{os.getpid()}.part")
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.touch()
        aside.unlink()
    except OSError as error:
        raise BadSetting(f"{expected} {short(path)} cannot: {error.strerror or error}") from None
    except ValueError as error:  # a zero byte, or no name at all
        raise BadSetting(f"{expected} {short(path)!r} cannot: {error}") from None
