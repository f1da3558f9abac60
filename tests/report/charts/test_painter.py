"""Where the drawing packages cannot be used, that is said, and nothing else happens to us."""

import builtins
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from holdfast.core.errors import CannotDraw
from holdfast.report.charts import painter as module
from holdfast.report.charts.draw import spec, svg
from holdfast.report.charts.painter import Painter, draw, painter
from holdfast.report.charts.svg import clean
from tests.report.charts.cases import every_kind

SPEC = spec(every_kind()["bars"])


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], tuple[Painter, list[int]]]]:
    """A painter whose process runs some other program, and how often it was started."""
    some: list[Painter] = []
    started: list[int] = []

    def make(program: str) -> tuple[Painter, list[int]]:
        def start() -> "subprocess.Popen[str]":
            started.append(1)
            pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
            return subprocess.Popen([sys.executable, "-c", program], **pipes)

        monkeypatch.setattr(module, "_start", start)
        some.append(Painter())
        return some[0], started

    yield make
    for one in some:
        one.close()


def test_a_process_draws_as_this_one_would() -> None:
    drawings = painter().svg(SPEC), draw(json.dumps(SPEC))["svg"]
    there, here = (clean(drawing, "key", "title") for drawing in drawings)  # a renderer counts all its life
    assert there == here


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "exit code -9"),
        ("input(); import os; os.abort()", "exit code -6"),
        ("input(); print('half an answ')", "exit code 0"),
    ],
)
def test_a_process_that_dies_is_not_asked_again(made: Any, program: str, why: str) -> None:
    dying, started = made(program)
    for _ in range(2):
        with pytest.raises(CannotDraw, match=rf"^the drawing process ended with {why}$"):
            dying.svg(SPEC)
    assert len(started) == 1


def test_what_cannot_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(CannotDraw, match="No such file or directory"):
        Painter().svg(SPEC)


@pytest.mark.parametrize("package", ["vl_convert", "altair"])
@pytest.mark.parametrize(
    "error", [ImportError("no such symbol"), OSError("cannot allocate memory"), MemoryError()]
)
def test_a_package_that_cannot_be_loaded(
    monkeypatch: pytest.MonkeyPatch, package: str, error: Exception
) -> None:
    plain = builtins.__import__

    def broken(name: str, *rest: Any) -> Any:
        if name == package:
            raise error
        return plain(name, *rest)

    for name in [name for name in sys.modules if name.endswith((".facets", ".encode"))]:
        monkeypatch.delitem(sys.modules, name)
        monkeypatch.delattr(sys.modules["holdfast.report.charts"], name.rpartition(".")[2])
    monkeypatch.setattr(builtins, "__import__", broken)
    why = f"{type(error).__name__}: {error}"
    if package == "vl_convert":
        assert draw(json.dumps(SPEC)) == {"error": why}
        return
    with pytest.raises(CannotDraw, match=why):
        svg(every_kind()["bars"])


def test_an_answer_that_is_an_error(made: Any) -> None:
    told, _ = made("""input(); print('{"error": "no such mark"}')""")
    with pytest.raises(CannotDraw, match=r"^no such mark$"):
        told.svg(SPEC)
