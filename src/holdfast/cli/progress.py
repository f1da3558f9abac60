"""A progress bar with the time left, on standard error."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn


@contextlib.contextmanager
def progress(quiet: bool) -> Iterator[Callable[[str, float, float], None]]:
    """What listens to a study: a bar per stage; nothing where nobody looks."""
    notes = Console(stderr=True, highlight=False)
    columns = (
        TextColumn("{task.description:<11}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    hidden = quiet or not notes.is_terminal
    with Progress(*columns, console=notes, disable=hidden, transient=True) as bars:
        tasks: dict[str, Any] = {}

        def listen(stage: str, done: float, total: float) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield listen
