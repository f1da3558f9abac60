"""The walk of a command: it comes down through the layers, and no layer calls one to its right."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from holdfast.cli import app
from holdfast.core.errors import CannotDraw
from tests.study.tiny import DATA, MODEL, here

ORDER = (
    "measure",
    "study",
    "report",
    "studies",
    "commands",
    "cli",
)  # layers that do not call methods by name
HEARD = ("listen", "<lambda>")  # whoever listens to the progress is called from below


def layer(frame: FrameType | None) -> str:
    parts = (frame.f_globals.get("__name__", "") if frame else "").split(".")
    return parts[1] if parts[0] == "holdfast" and len(parts) > 1 else ""


@contextmanager
def walked() -> Iterator[set[tuple[str, str, str]]]:
    """Every call from one of these layers into another: from where, to where, of what."""
    calls: set[tuple[str, str, str]] = set()

    def look(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and layer(frame) in ORDER:
            caller = frame.f_back
            while caller is not None and layer(caller) not in ORDER:
                caller = caller.f_back
            if layer(caller) not in ("", layer(frame)):
                calls.add((layer(caller), layer(frame), frame.f_code.co_name))

    sys.settrace(look)
    try:
        yield calls
    finally:
        sys.settrace(None)


TINY = ["--model", MODEL, "--seeds", "2", "--epochs", "1", "--instances", "3", "--repair", "none"]
WALKS = {
    "audit": ["audit", DATA, *TINY, "--explainer", "gradient"],
    "reproduce": ["reproduce", "seed-stability", "--data", DATA, *TINY],
}


@pytest.mark.parametrize("name", WALKS)
def test_no_layer_calls_one_to_its_right(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def undrawn(figure: object) -> None:
        raise CannotDraw("drawing takes long, and calls nobody else")

    monkeypatch.setattr("holdfast.report.charts.draw._chart", undrawn)
    with here(), walked() as calls:
        app(
            [*WALKS[name], "--out", str(tmp_path / "run"), "--device", "cpu", "--quiet"],
            standalone_mode=False,
        )
    up = [
        call
        for call in sorted(calls)
        if ORDER.index(call[1]) > ORDER.index(call[0]) and call[2] not in (*HEARD, "<module>")
    ]
    assert up == []
    assert ("cli", "commands", name) in calls
    assert {("commands", "study", "run_study"), ("commands", "study", "write_results")} <= calls
