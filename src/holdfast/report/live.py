"""Progress in a notebook: how far each stage is, and the time left; it goes when the work is done."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module

from holdfast.report.html import render_fragment
from holdfast.report.lines import Lines, estimated
from holdfast.study.engine import Listener

EVERY = 0.2  # seconds
Show = Callable[[dict[str, str]], None]


@contextmanager
def heard(listen: Listener | None) -> Iterator[Listener]:
    """Who hears how far the work is: ``listen``, or else the notebook that this runs in; otherwise nobody."""
    if listen is not None:
        yield listen
        return
    bars = Bars(_output()) if in_notebook() else None
    try:
        yield _unheard if bars is None else bars.listen
    finally:
        if bars is not None:
            bars.clear()


class Bars:
    """A bar for each stage; ``show`` is given what there is to see, as HTML and as text."""

    def __init__(self, show: Show, clock: Callable[[], float] = time.monotonic) -> None:
        self._show, self._clock, self._lines = show, clock, Lines(clock)
        self._shares: dict[str, float] = {}
        self._estimate, self._drawn = "", -EVERY

    def listen(self, stage: str, done: float, total: float) -> None:
        """Hear how far a stage is; drawn a few times a second, and whenever a stage begins or ends."""
        if stage == "estimate":
            self._estimate = estimated(done, total)
            return
        self._lines.listen(stage, done, total)
        turns = stage not in self._shares or done >= total
        self._shares[stage] = done / total if total else 1.0
        if turns or self._clock() - self._drawn >= EVERY:
            self._draw(stage)

    def clear(self) -> None:
        """Leave nothing behind."""
        if self._shares:
            self._show({"text/html": "", "text/plain": ""})

    def _draw(self, stage: str) -> None:
        self._drawn = self._clock()
        seen = {"stage": stage, "shares": self._shares, "left": self._lines.left}
        html = render_fragment("progress.html", estimate=self._estimate, **seen)
        self._show({"text/html": html, "text/plain": self._lines.line()})


def in_notebook() -> bool:
    """Whether this runs in the kernel of a notebook; nothing is imported to find out."""
    shells, ipython = sys.modules.get("ipykernel.zmqshell"), sys.modules.get("IPython")
    if shells is None or ipython is None:
        return False
    return isinstance(ipython.get_ipython(), shells.ZMQInteractiveShell)


def _output() -> Show:
    """One place in the output of the cell that runs, drawn over each time."""
    place, shown = import_module("IPython.display").DisplayHandle(), False

    def show(bundle: dict[str, str]) -> None:
        nonlocal shown
        (place.update if shown else place.display)(bundle, raw=True)
        shown = True

    return show


def _unheard(stage: str, done: float, total: float) -> None:
    return
