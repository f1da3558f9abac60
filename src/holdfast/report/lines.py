"""Progress as lines of text: how far the work is, for a log every 20 seconds, and how long it will take."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

EVERY = 20.0  # seconds


class Lines:
    """Remembers how far the work is, and says it in a line.

    >>> seconds = iter([0.0, 40.0, 40.0])
    >>> lines = Lines(lambda: next(seconds))
    >>> lines.listen("training", 0, 10)
    >>> lines.listen("training", 4, 10)
    >>> lines.line()
    'training 40 %, about 60 seconds left'
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._stage, self._began, self._heard = clock, "", 0.0, 0.0
        self._first = self._done = self._total = 0.0

    def listen(self, stage: str, done: float, total: float) -> None:
        """Hear how far a stage is; what was done before it was first heard of took no time now."""
        self._heard = self._clock()
        if stage != self._stage:
            self._stage, self._began, self._first = stage, self._heard, done
        self._done, self._total = done, total

    def line(self) -> str:
        """The stage, its share, and the time left at this pace, where it is known; empty before any stage."""
        if not self._total:
            return ""
        left = self.left
        soon = f", {left}" if left else ""
        return f"{self._stage} {100 * self._done / self._total:.0f} %{soon}"

    @property
    def left(self) -> str:
        """The time that is left of this stage, where it is known."""
        seconds = self._left()
        return f"{spell(seconds, seconds)} left" if seconds > 0 else ""

    def _left(self) -> float:
        """Seconds, at the pace up to the last that was heard; 0 where that is not known."""
        made = self._done - self._first
        if made <= 0:
            return 0.0
        whole = (self._heard - self._began) * (self._total - self._done) / made
        return whole - (self._clock() - self._heard)


@contextlib.contextmanager
def every(seconds: float, say: Callable[[], None]) -> Iterator[None]:
    """Call ``say`` so often while the block runs, from a thread of its own."""
    ended = threading.Event()

    def repeat() -> None:
        with contextlib.suppress(OSError):  # a closed pipe: nobody reads it any more
            while not ended.wait(seconds):
                say()

    teller = threading.Thread(target=repeat, daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()


def spell(least: float, most: float) -> str:
    """So many seconds, or between so many, as somebody would say it.

    >>> spell(50, 130), spell(12, 12)
    ('1 to 2 minutes', 'about 12 seconds')
    """
    sizes = (("hours", 3600), ("minutes", 60), ("seconds", 1))
    unit, size = next((unit, size) for unit, size in sizes if most > 1.5 * size or size == 1)
    few, many = (max(1, round(seconds / size)) for seconds in (least, most))
    taken = f"about {many}" if few == many else f"{few} to {many}"
    return f"{taken} {unit if many > 1 else unit.removesuffix('s')}"


def estimated(least: float, most: float) -> str:
    """The line that says between how many seconds the work will take.

    >>> estimated(50, 130).partition(": ")[0]
    'Training and explaining will take 1 to 2 minutes'
    """
    how = "an estimate from a few steps of each model on this machine; measuring comes on top"
    return f"Training and explaining will take {spell(least, most)}: {how}."
