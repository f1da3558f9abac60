"""Ctrl-C and SIGTERM: the first ends the work, and those that come while it ends change nothing."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

SOON = 0.02  # seconds


class Ended(BaseException):
    """A signal asked the process to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class _Ear:
    """Raises at the first signal, as long as it listens."""

    def __init__(self) -> None:
        self.listens = True

    def __call__(self, number: int, frame: object) -> None:
        if self.listens:
            self.listens = False  # what is cleaned up now must not be disturbed by an impatient second one
            raise Ended(number)

    def lost(self, about: Any) -> None:
        """A signal that came in a call from which Python drops exceptions, as a finaliser: send it again."""
        if isinstance(about.exc_value, Ended):
            self.listens = True
            again = (threading.main_thread().ident, about.exc_value.number)
            threading.Timer(SOON, signal.pthread_kill, again).start()  # when this call is over
        else:
            sys.__unraisablehook__(about)


@contextmanager
def heard() -> Iterator[None]:
    """Signals raise :class:`Ended` in this block, and never again once it is left."""
    ear, before = _Ear(), sys.unraisablehook
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ear)
    sys.unraisablehook = ear.lost
    try:
        yield
    finally:
        ear.listens = False
        sys.unraisablehook = before
