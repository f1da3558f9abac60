"""The first signal ends a command with one clean line, wherever it comes; those after it change nothing."""

import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast.cli import main
from holdfast.cli.signals import Ended, heard
from tests.test_cli import Answer, one_sentence, spawn, until

STOPPED = "stopped. What is finished is kept; resume with: holdfast list"
# the first import that takes long waits until it is interrupted
SLOW = """
import pathlib, sys, time
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            pathlib.Path("importing").touch()
            time.sleep(60)
sys.meta_path.insert(0, Slow())
"""


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_while_everything_is_imported(tmp_path: Path, number: signal.Signals, code: int) -> None:
    process = spawn("list", cwd=tmp_path, first=SLOW)
    until(lambda: (tmp_path / "importing").exists(), process)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert one_sentence(Answer(process.returncode, out, err), code) == STOPPED


class Careless:
    """Its finaliser is where a signal arrives, and Python drops what a finaliser raises."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


def twice(*words: Any, **settings: Any) -> None:
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGTERM)


def in_a_finaliser(*words: Any, **settings: Any) -> None:
    Careless()
    time.sleep(60)


def at_the_end(*words: Any, **settings: Any) -> None:
    """Standard error is where a second signal arrives, as the first one's line is written."""
    write = sys.stderr.write

    def writes(text: str) -> int:
        signal.raise_signal(signal.SIGINT)
        return write(text)

    sys.stderr.write = writes  # type: ignore[method-assign]
    signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("work", [twice, in_a_finaliser, at_the_end])
def test_one_line_however_many_signals(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], work: Any
) -> None:
    monkeypatch.setattr("holdfast.cli.commands.app", work)
    monkeypatch.setattr(sys, "argv", ["holdfast", "list"])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    assert one_sentence(Answer(ended.value.code, out, err), 130) == STOPPED  # type: ignore[arg-type]


def test_nothing_is_raised_after_the_block() -> None:
    hook = sys.unraisablehook
    with pytest.raises(Ended), heard():
        signal.raise_signal(signal.SIGTERM)
    signal.raise_signal(signal.SIGTERM)
    signal.raise_signal(signal.SIGINT)
    assert sys.unraisablehook is hook
