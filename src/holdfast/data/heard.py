"""How far reading is: the share that is done, told now and then."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")
Heard = Callable[[float], None]
EVERY = 1000


def silent(share: float) -> None:
    """Nobody listens."""


@dataclass
class Counted:
    """Counts what passes, of ``total`` in all.

    >>> told = []
    >>> list(Counted(2, told.append).over("ab")), told
    (['a', 'b'], [0.0])
    """

    total: int
    heard: Heard = silent
    done: int = 0

    def over(self, items: Iterable[T]) -> Iterator[T]:
        """The same items."""
        for item in items:
            if self.done % EVERY == 0:
                self.heard(self.done / self.total)
            self.done += 1
            yield item
