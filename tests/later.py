"""Made-up things that cost seconds are made by the test that reads them, not by collecting tests."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any


class Later(Sequence[Any]):
    """A list that is made when it is first read.

    >>> numbers = Later(lambda: range(3))
    >>> [*numbers, len(numbers), numbers[0]], numbers + [9]
    ([0, 1, 2, 3, 0], [0, 1, 2, 9])
    """

    def __init__(self, make: Callable[[], Iterable[Any]]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> list[Any]:
        return list(self._make())

    def __getitem__(self, place: Any) -> Any:
        return self._made[place]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)

    def __add__(self, other: Iterable[Any]) -> list[Any]:
        return [*self._made, *other]
