"""Methods outside the package and worker processes: what these must load, and the work that only this process
can do, as it has a class that no other can import."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from holdfast.core.outside import Part, loaded_in
from holdfast.train.pool import Event, Task, environment
from holdfast.train.worker import answer

FIND = "import importlib.util as u, sys; s = u.find_spec(sys.argv[1]); sys.stdout.write(str(s and s.origin))"


class Here:
    """A pool of this process alone: tasks are done one after the other, as a worker does them."""

    def run(self, tasks: list[Task]) -> Iterator[Event]:
        """Do the tasks, and yield what a worker would say of each."""
        for number, task in enumerate(tasks):
            numbered, said = task | {"id": number, "code": []}, list[dict[str, Any]]()
            answer(numbered, said.append)
            yield from ((numbered, one) for one in said)


def code_of(labels: Iterable[str]) -> list[list[str]] | None:
    """What a worker must load for these methods (name, file, SHA-256 of each); None if it could not."""
    parts = loaded_in(labels)
    if not all(map(_is_found, parts)):
        return None
    return [[part.name, str(part.path or ""), part.sha256] for part in parts]


def only_here(labels: Iterable[str]) -> list[str]:
    """The names of those that workers could not load."""
    return [part.name for part in loaded_in(labels) if not _is_found(part)]


def _is_found(part: Part) -> bool:
    if part.path is not None or part.local:
        return not part.local
    return importable(part.module)


def importable(module: str) -> bool:
    """Whether a worker would import this module, which is loaded here, from the same place."""
    package = module.partition(".")[0]
    spec = sys.modules[package].__spec__
    return spec is not None and _origin(package) == str(spec.origin)


@cache
def _origin(package: str) -> str:
    """Where a worker would find a package: not in the working directory, nor beside a script."""
    command = [sys.executable, "-P", "-c", FIND, package]
    done = subprocess.run(command, env=environment(os.environ), capture_output=True, text=True, check=False)
    return done.stdout
