"""Workers without processes: the tasks are done on the spot, as a worker does them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from holdfast.study.recipe import worker
from holdfast.train.worker import answer
from tests.core.outsider import forgotten


class Spot:
    """A pool of this process."""

    def run(self, tasks: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        for number, task in enumerate(tasks):
            said: list[dict[str, Any]] = []
            answer(task | {"id": number}, said.append, worker.work)
            yield from ((task, one) for one in said)


@contextmanager
def on_the_spot() -> Iterator[None]:
    """Train seeds of recipes in this process; what was loaded is forgotten afterwards."""

    @contextmanager
    def pool(workers: int, module: str) -> Iterator[Spot]:
        for cached in (worker._recipe, worker._from_file, worker._called):
            cached.cache_clear()  # a real worker starts with nothing
        yield Spot()

    with forgotten(), mock.patch("holdfast.study.recipe.run.pool", pool):
        yield
