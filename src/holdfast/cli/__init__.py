"""The command line. Every error is one clean line, every exit code means something.

Little is imported before :func:`main` listens to signals: the rest takes long enough to be interrupted.
"""

import os
import sys
from typing import TYPE_CHECKING, Any, TextIO

from holdfast.cli.signals import Ended, heard

if TYPE_CHECKING:
    from holdfast.cli.commands import app

__all__ = ["app", "main"]


def __getattr__(name: str) -> Any:
    if name != "app":
        raise AttributeError(f"module 'holdfast.cli' has no attribute '{name}'")
    from holdfast.cli.commands import app

    return app


def main() -> None:
    """The entry point: every error is one clean line, every exit code means something."""
    try:
        with heard():
            code, kind, message = _run(sys.argv[1:])
    except Ended as ended:
        code, kind = 128 + ended.number, "Stopped"
        message = f"stopped. What is finished is kept; resume with: {_again()}"
    if message:
        _tell(kind, message)
    for stream in (sys.stdout, sys.stderr):
        _flush(stream)
    sys.exit(code)


def _run(words: list[str]) -> tuple[int, str, str]:
    """The exit code, and what went wrong: its kind and a sentence."""
    from holdfast.cli.commands import app
    from holdfast.cli.outcome import DEBUG, outcome_of

    try:
        for stream in (sys.stdout, sys.stderr):
            _escape(stream)
        _check_words(words)
        code = app(words or ["--help"], prog_name="holdfast", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return int(code or 0), "", ""
    except Exception as error:
        if DEBUG in os.environ:
            raise
        return outcome_of(error)


def _escape(stream: object) -> None:
    from io import TextIOWrapper

    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")  # for terminals that lack a letter


def _check_words(words: list[str]) -> None:
    from holdfast.core.errors import BadSetting

    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            raise BadSetting(f"expected every argument in UTF-8, but got {word!a}") from None


def _tell(kind: str, message: str) -> None:
    """One clean line on standard error, and the same as JSON on standard output with ``--json``."""
    import json

    from holdfast.core.plain import printable
    from holdfast.core.schema import SCHEMA

    if "--json" in sys.argv:
        error = {"kind": kind, "message": message}
        _put(sys.stdout, json.dumps({"schema": SCHEMA, "error": error}, ensure_ascii=False))
    _put(sys.stderr, f"holdfast: {printable(message)}")


def _put(stream: TextIO | None, line: str) -> None:
    try:
        if stream is not None:
            stream.write(f"{line}\n")
    except OSError:
        pass  # a full disk, a closed pipe: the exit code still says how it ended
    _flush(stream)


def _flush(stream: TextIO | None) -> None:
    """Write what is still in the buffer; where that cannot be, drop it: Python would try again as it ends."""
    if stream is None:
        return
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        stream.flush()


def _again() -> str:
    import shlex

    return shlex.join(["holdfast", *(word for word in sys.argv[1:] if word != "--fresh")])
