"""Worker processes: tasks are handed out one by one, answers come back as events."""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from holdfast.core.errors import Failed

Task = dict[str, Any]
Event = tuple[Task, dict[str, Any]]

# safe path: nothing is imported from the working directory, where the data of somebody else may lie. One
# thread each; and freed memory is kept, since a step asks for the same sizes as the one before (glibc)
KEEP = str(256 * 2**20)
SET = {
    "PYTHONSAFEPATH": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_MMAP_THRESHOLD_": KEEP,
    "MALLOC_TRIM_THRESHOLD_": KEEP,
}
PASSED = ("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
FAMILIES = ("OMP_", "MKL_", "KMP_", "GOMP_", "OPENBLAS_", "CUDA_")  # of threads, and of GPUs


def environment(given: Mapping[str, str]) -> dict[str, str]:
    """What a worker is told of the environment: what it needs to start, and nothing else.

    >>> kept = environment({"PATH": "/bin", "TOKEN": "secret", "OMP_NUM_THREADS": "8"})
    >>> kept["PATH"], kept["OMP_NUM_THREADS"], "TOKEN" in kept
    ('/bin', '1', False)
    """
    kept = {name: value for name, value in given.items() if name in PASSED or name.startswith(FAMILIES)}
    return kept | SET | {"PYTHONPATH": os.pathsep.join(_search(given.get("PYTHONPATH", "")))}


def _search(given: str) -> list[str]:
    """Where a worker looks for code: where this package is, and what ``PYTHONPATH`` names; an entry of it
    that is empty or relative means the working directory, or something in it, and is left out."""
    source = Path(__file__).resolve().parents[2]
    installed = source.name in ("site-packages", "dist-packages")  # found without being told
    return [*([] if installed else [str(source)]), *filter(os.path.isabs, given.split(os.pathsep))]


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


class Pool:
    """Some one-threaded worker processes, which run ``module``; use :func:`pool`, so that they always end."""

    def __init__(self, workers: int, module: str = "holdfast.train.worker") -> None:
        self.module = module
        self.answers: queue.Queue[tuple[int, dict[str, Any] | None]] = queue.Queue()
        self.processes = [self._start(number) for number in range(workers)]

    def run(self, tasks: list[Task]) -> Iterator[Event]:
        """Hand out the tasks and yield what the workers say; a task ends with ``done`` or ``error``."""
        waiting = [task | {"id": number} for number, task in enumerate(tasks)][::-1]
        busy: dict[int, Task] = {}
        for number in range(len(self.processes)):
            self._hand(number, waiting, busy)
        while busy:
            number, answer = self.answers.get()
            if answer is None:
                raise self._died(number)
            task = busy[number]
            yield task, answer
            if "done" in answer or "error" in answer:
                del busy[number]
                self._hand(number, waiting, busy)

    def close(self) -> None:
        """End every worker."""
        for process in self.processes:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(BrokenPipeError):  # a task that a dead worker never took
                        pipe.close()

    def _start(self, number: int) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", self.module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(os.environ),
            start_new_session=True,  # Ctrl-C is for the parent, which then ends its workers itself
        )
        threading.Thread(target=self._read, args=(number, process), daemon=True).start()
        return process

    def _read(self, number: int, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                self.answers.put((number, json.loads(line)))
        except ValueError:  # the pipe was closed under us, or this is no answer: either way it is the end
            process.kill()
        self.answers.put((number, None))

    def _died(self, number: int) -> Failed:
        code = self.processes[number].wait()
        return Failed(
            f"a worker process died (exit code {code}): what is finished is kept, so run the same command "
            "again; if it dies again, memory may be short"
        )

    def _hand(self, number: int, waiting: list[Task], busy: dict[int, Task]) -> None:
        if not waiting:
            return
        pipe = self.processes[number].stdin
        assert pipe is not None
        busy[number] = waiting.pop()
        try:
            pipe.write(json.dumps(busy[number]) + "\n")
            pipe.flush()
        except BrokenPipeError:
            raise self._died(number) from None


@contextmanager
def pool(workers: int, module: str = "holdfast.train.worker") -> Iterator[Pool]:
    """A pool that ends with the block."""
    workers_now = Pool(workers, module)
    try:
        yield workers_now
    finally:
        workers_now.close()
