"""All seeds of a recipe: in worker processes where these can import it, and never one twice."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from holdfast.core import errors
from holdfast.core.errors import BadInput, Failed
from holdfast.study.recipe.contract import Recipe
from holdfast.study.recipe.data import Given
from holdfast.study.recipe.kept import REQUEST, Kept, kept_in
from holdfast.study.recipe.step import STARTS, Step
from holdfast.study.recipe.worker import do
from holdfast.study.store import Store
from holdfast.train.pool import Pool, Task, cores, pool

MODULE = "holdfast.study.recipe.worker"
STAGE = "seeds"
TRIES = 2
"""So many seeds may fail before any has succeeded."""
Listener = Callable[[str, float, float], None]


@dataclass
class Seeds:
    """The seeds of a recipe in the folder of a run; ``name`` is what its ``data()`` is asked for, where the
    rows come from there (``called``)."""

    recipe: Recipe
    given: Given
    store: Store
    count: int
    instances: int | None = 200
    name: str | None = None
    called: bool = False
    workers: int | None = None
    listen: Listener = lambda stage, done, total: None
    _parts: dict[str, float] = field(default_factory=dict)

    @property
    def kept(self) -> Kept:
        """Where they are kept."""
        return kept_in(self.store.folder)

    @property
    def here(self) -> str:
        """Why the seeds run in this process; empty where workers do them."""
        if self.recipe.nowhere:
            return f"worker processes cannot import {', '.join(self.recipe.nowhere)}"
        if not (self.called or self.given.portable):
            return "worker processes cannot be given inputs that are neither an array of numbers nor texts"
        return ""

    def run(self) -> None:
        """Do what is not done: first one seed, which shows whether the recipe can be used at all and what is
        explained, then the others."""
        home = self.store.data(0)
        if not self.store.sound(home.name):
            self.store.enter({home.name: self.given.write(home)})
        names = [Kept.seed(seed) for seed in range(self.count)]
        names += [STARTS] if self.recipe.untrained is not None else []
        self._parts = {name: float(self.kept.counts(name)) for name in names}
        for name in filter(self.kept.counts, names):
            self._enter(name)
        with ExitStack() as stack:
            workers = None
            if not self.here and not all(self._parts.values()):
                wanted = min(self.workers or cores(), len(names))
                workers = stack.enter_context(pool(wanted, MODULE))
            self._first(workers)
            self._do([name for name in names if not self.kept.counts(name)], workers)

    def _first(self, workers: Pool | None) -> None:
        """One seed after the other until one succeeds."""
        whys: dict[int, str] = {}
        for seed in range(self.count):
            if self.kept.of is not None:
                return
            if len(whys) == TRIES:
                break
            self._do([Kept.seed(seed)], workers)
            if self.kept.of is None:
                whys[seed] = (self.kept.note(Kept.seed(seed)) or {"why": "its note is missing"})["why"]
        if self.kept.of is None:
            for seed in whys:  # to be tried again
                self.kept.forget(Kept.seed(seed))
            told = "; ".join(f"seed {seed}: {why}" for seed, why in whys.items())
            raise Failed(f"no seed of the recipe could be used ({told})")

    def _do(self, names: list[str], workers: Pool | None) -> None:
        for name, share in self._here(names) if workers is None else self._away(names, workers):
            self._parts[name] = share
            self.listen(STAGE, sum(self._parts.values()), len(self._parts))
            if share == 1:
                self._enter(name)

    def _here(self, names: list[str]) -> Iterator[tuple[str, float]]:
        """The work done in this process."""
        step = Step(self.recipe, self.given, self.instances, self.kept)
        for name in names:
            yield name, 0.0
            shares: list[float] = []
            do(step, _seed(name), lambda said, shares=shares: shares.append(said["share"]))  # type: ignore[misc]
            yield name, 1.0

    def _away(self, names: list[str], workers: Pool) -> Iterator[tuple[str, float]]:
        """The work done by workers."""
        called = {"name": self.name, "sha256": self.given.sha256}
        data: dict[str, Any] = called if self.called else self._file()
        code = [list(part) for part in self.recipe.code]
        about = {"code": code, "data": data, "folder": str(self.kept.folder), "instances": self.instances}
        tasks: list[Task] = [about | {"name": name, "seed": _seed(name)} for name in names]
        for task, said in workers.run(tasks):
            if "error" in said:
                raise _error(said)
            yield task["name"], 1.0 if "done" in said else min(said["share"], 0.99)

    def _file(self) -> dict[str, Any]:
        home = self.store.data(0)
        return {"file": str(home), "sha256": self.store.manifest.read()[home.name].sha256}

    def _enter(self, name: str) -> None:
        """Enter finished files in the manifest."""
        for one in (REQUEST, name):
            if self.kept.note(one) is not None:
                self.store.enter(
                    {_in(self.store.folder, path): digest for path, digest in self.kept.digests(one).items()}
                )


def _seed(name: str) -> int | None:
    return None if name == STARTS else int(name.partition("-")[2])


def _in(folder: Path, path: Path) -> str:
    return str(path.relative_to(folder))


def _error(said: dict[str, Any]) -> Exception:
    """What a worker refused, as it would be refused here."""
    kind = getattr(errors, said["kind"], Failed)
    return kind(said["error"]) if issubclass(kind, BadInput | Failed) else Failed(said["error"])
