"""On standard error: how long the work will take, and a progress bar with the time left."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn


@contextlib.contextmanager
def progress(quiet: bool) -> Iterator[Callable[[str, float, float], None]]:
    """What listens to a study: a line of how long it will take, then a bar per stage where somebody looks."""
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
            if stage == "estimate":
                if not quiet:
                    notes.print(_told(done, total), soft_wrap=True)
                return
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield listen


def _told(least: float, most: float) -> str:
    """The line that says between how many seconds the work will take.

    >>> _told(50, 130).partition(": ")[0], _told(12, 12).partition(": ")[0]
    ('Training and explaining will take 1 to 2 minutes', 'Training and explaining will take about 12 seconds')
    """
    sizes = (("hours", 3600), ("minutes", 60), ("seconds", 1))
    unit, size = next((unit, size) for unit, size in sizes if most > 1.5 * size or size == 1)
    few, many = (max(1, round(seconds / size)) for seconds in (least, most))
    taken = f"about {many}" if few == many else f"{few} to {many}"
    unit = unit if many > 1 else unit.removesuffix("s")
    how = "an estimate from a few steps of each model on this machine; measuring comes on top"
    return f"Training and explaining will take {taken} {unit}: {how}."
