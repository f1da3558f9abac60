import errno
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from holdfast.cli import main
from holdfast.cli.outcome import KEPT, outcome_of
from holdfast.core.errors import BadData, TooFewMembers
from tests.test_cli import Answer, one_sentence, spawn

SHOWS = "with HOLDFAST_DEBUG=1 set, the traceback is shown"
LONG = OSError(errno.ENAMETOOLONG, "File name too long", "x" * 9000)
OUTCOMES: dict[str, tuple[Exception, tuple[int, str, str]]] = {
    "data": (BadData("a.csv is empty"), (2, "BadData", "a.csv is empty")),
    "members": (TooFewMembers("one is left"), (1, "TooFewMembers", "one is left")),
    "use": (typer.BadParameter("no"), (2, "BadUse", "Invalid value: no (see holdfast --help)")),
    "disk": (OSError(errno.ENOSPC, "No space", "a"), (1, "Failed", f"No space (a): {KEPT}")),
    "name": (LONG, (2, "BadSetting", f"File name too long ({'x' * 400}…): choose a shorter one")),
    "deep": (RecursionError("too deep\nhere"), (1, "Failed", f"RecursionError: too deep: {KEPT}; {SHOWS}")),
    "torch": (
        RuntimeError("can't allocate"),
        (1, "Failed", f"RuntimeError: can't allocate: {KEPT}; {SHOWS}"),
    ),
}


@pytest.mark.parametrize("name", OUTCOMES)
def test_every_error_has_an_outcome(name: str) -> None:
    error, outcome = OUTCOMES[name]
    assert outcome_of(error) == outcome


def raises(*words: Any, **settings: Any) -> None:
    raise MemoryError


def test_what_nobody_foresaw_is_one_line_or_a_traceback_for_those_who_ask(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("holdfast.cli.commands.app", raises)
    monkeypatch.setattr("holdfast.cli.signals.signal.signal", lambda *_: None)
    monkeypatch.setattr(sys, "argv", ["holdfast", "list"])
    with pytest.raises(SystemExit) as ended:
        main()
    answer = Answer(ended.value.code, *capsys.readouterr())  # type: ignore[arg-type]
    assert one_sentence(answer, 1).startswith("memory ran out: use less data")
    monkeypatch.setenv("HOLDFAST_DEBUG", "1")
    with pytest.raises(MemoryError):
        main()


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["--help"], 1, "No space left on device: what is finished is kept"),
        (["audit", "--nothing", "--json"], 2, "No such option: --nothing"),
    ],
)
def test_a_full_disk_for_an_answer_is_no_traceback(
    tmp_path: Path, words: list[str], code: int, sentence: str
) -> None:
    full = "import os, sys; os.dup2(os.open('/dev/full', os.O_WRONLY), 1)"
    process = spawn(*words, cwd=tmp_path, first=full)
    out, err = process.communicate(timeout=60)
    assert one_sentence(Answer(process.returncode, out, err), code).startswith(sentence)


@pytest.mark.parametrize("stream", [1, 2])
def test_nobody_has_to_listen(tmp_path: Path, stream: int) -> None:
    """A reader who left, as ``head`` does, is no error to speak of; a lost message leaves the exit code."""
    gone = f"import os; r, w = os.pipe(); os.close(r); os.dup2(w, {stream})"
    words, code = (["--help"], 1) if stream == 1 else (["audit", "--nothing"], 2)
    process = spawn(*words, cwd=tmp_path, first=gone)
    assert (*process.communicate(timeout=60), process.returncode) == ("", "", code)
