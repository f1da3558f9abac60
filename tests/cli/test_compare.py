"""``holdfast compare`` as a person meets it."""

import json
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from holdfast.cli import main
from tests.study.changed import change, changes
from tests.study.majority import majority
from tests.study.tiny import finished

Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Iterator[Typed]:
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["holdfast", "compare", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        code = ended.value.code
        return code if isinstance(code, int) else 0, *capsys.readouterr()

    yield run
    for number, handler in handlers.items():
        signal.signal(number, handler)


def test_two_runs_and_a_page(typed: Typed, tmp_path: Path) -> None:
    runs = str(finished()), str(finished("aswa"))
    code, out, err = typed(*runs, "--out", "page.html")
    assert (code, err) == (0, "")
    assert out.endswith("Page: page.html\n")
    told = json.loads(typed(*runs, "--json")[1])
    assert told["sentence"] in " ".join(out.split())
    assert (told["schema"], told["seeds"]) == (2, 3)
    assert (tmp_path / "page.html").is_file()


def test_two_models_of_one_run(typed: Typed) -> None:
    code, out, _ = typed(str(majority()), str(majority()), "--model", "shallow,rlstm")
    assert code == 0
    assert "before: shallow, none (" in out
    assert "after:  rlstm, none (" in out
    assert "families" not in out
    said = " ".join(typed(str(majority()), str(majority()))[1].split())
    assert "has 2 families; compared is shallow with repair none" in said


@pytest.mark.parametrize(("high", "wanted"), [(-0.01, 3), (0.0, 0)])
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_the_gate(
    typed: Typed, monkeypatch: pytest.MonkeyPatch, high: float, wanted: int, more: tuple[str, ...]
) -> None:
    found = changes(change(ends=(-0.3, high)))
    monkeypatch.setattr("holdfast.commands.compare.compare_runs", lambda *_: found)
    code, out, err = typed("before", "after", "--fail-if-worse", *more)
    assert (code, err) == (wanted, "")
    assert out
    assert typed("before", "after", *more)[0] == 0


def test_bad_use_is_one_sentence(typed: Typed) -> None:
    code, out, err = typed(str(majority()), str(majority()), "--model", "deep")
    assert (code, out) == (2, "")
    assert "unknown model of this run 'deep'" in err
