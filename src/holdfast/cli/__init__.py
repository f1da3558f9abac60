"""The command line. Every error is one clean line, every exit code means something."""

import io
import json
import signal
import sys
from typing import Any, NoReturn

import typer

from holdfast.cli.commands import app
from holdfast.core.errors import BadSetting, HoldfastError
from holdfast.core.plain import printable

__all__ = ["app", "main"]

# typer names its usage error only by its children, and brings click along or not, by its version
USAGE: Any = typer.BadParameter.__mro__[1]


def _fail(kind: str, message: str, code: int) -> NoReturn:
    """One clean line on standard error, the same as JSON on standard output where that was asked for."""
    if "--json" in sys.argv:
        error = {"kind": kind, "message": message}
        typer.echo(json.dumps({"schema": 1, "error": error}, ensure_ascii=False))
    typer.echo(f"holdfast: {printable(message)}", err=True)
    sys.exit(code)


class _Ended(BaseException):
    """A signal asked the process to end."""


def _end(number: int, frame: object) -> None:
    raise _Ended(number)


def main() -> None:
    """The entry point: every error is one clean line, every exit code means something."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # for terminals that lack a letter
    try:
        _check_words(sys.argv[1:])
        sys.exit(app(sys.argv[1:] or ["--help"], prog_name="holdfast", standalone_mode=False))
    except HoldfastError as error:
        _fail(type(error).__name__, str(error), error.exit_code)
    except USAGE as error:
        _fail("BadUse", f"{error.format_message()} (holdfast --help tells more)", 2)
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        what = f"{error.strerror or error}{where}: what is finished is kept, the same command goes on from it"
        _fail("Failed", what, 1)
    except _Ended as ended:
        again = f"stopped. What is finished is kept; go on with: {_again()}"
        _fail("Stopped", again, 128 + int(ended.args[0]))


def _check_words(words: list[str]) -> None:
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            raise BadSetting(f"expected every word of the command in UTF-8, but got {word!a}") from None


def _again() -> str:
    import shlex

    return shlex.join(["holdfast", *(word for word in sys.argv[1:] if word != "--fresh")])
