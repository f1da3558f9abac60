"""On standard error: how long the work will take, and how far it is: a bar, or lines in a log."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from holdfast.report import lines
from holdfast.report.lines import Lines, estimated, every

Listener = Callable[[str, float, float], None]


@contextlib.contextmanager
def progress(quiet: bool) -> Iterator[Listener]:
    """What listens to a study: a line of how long it will take, then a bar per stage where somebody looks,
    and otherwise a line now and then."""
    notes = Console(stderr=True, highlight=False)
    with contextlib.nullcontext(_unheard) if quiet else _shown(notes) as show:

        def listen(stage: str, done: float, total: float) -> None:
            if stage != "estimate":
                show(stage, done, total)
            elif not quiet:
                notes.print(estimated(done, total), soft_wrap=True)

        yield listen


def _unheard(stage: str, done: float, total: float) -> None:
    return


@contextlib.contextmanager
def _shown(notes: Console) -> Iterator[Listener]:
    if notes.is_terminal:
        with _bars(notes) as show:
            yield show
        return
    log = Lines()

    def say() -> None:
        if line := log.line():
            notes.print(line, soft_wrap=True)

    with every(lines.EVERY, say):
        yield log.listen


@contextlib.contextmanager
def _bars(notes: Console) -> Iterator[Listener]:
    columns = (
        TextColumn("{task.description:<11}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    with Progress(*columns, console=notes, transient=True) as bars:
        tasks: dict[str, Any] = {}

        def show(stage: str, done: float, total: float) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield show
