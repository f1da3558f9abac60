"""A worker: ``python -P -m holdfast.train.worker``, one thread, one member at a time.

It reads tasks as JSON lines from standard input and answers with JSON lines on standard output; results go
to the job's folder. It ends when its standard input does, so it never outlives the process that started it.
What somebody's code prints goes to standard error, and disturbs no answer.
"""

import io
import json
import os
import queue
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TextIO

from holdfast.core.errors import WRONG, HoldfastError
from holdfast.core.outside import reload
from holdfast.core.places import learn
from holdfast.core.records import Member
from holdfast.data.base import Dataset
from holdfast.data.store import load_dataset
from holdfast.train.brought import brought
from holdfast.train.evaluate import seen
from holdfast.train.explaining import explain
from holdfast.train.family import initial, one_thread, template
from holdfast.train.fit import Progress
from holdfast.train.job import ANSWERS, Job, stack
from holdfast.train.loop import train
from holdfast.train.teacher import left_out, taught
from holdfast.train.untrained import group_of

Tell = Callable[[dict[str, Any]], None]
Work = Callable[[dict[str, Any], Tell], None]


def fit_member(job: Job, member: Member, tell: Any) -> None:
    """Train one member, or take it from its file, and write it."""
    dataset = _dataset(job.data)
    model = template(job.architecture, dataset.task)
    if job.architecture.files:
        whole = brought(job.architecture, dataset.task, member)
        job.keep_trained(whole, seen(model, whole.parameters, dataset, member))
        return
    if (missing := left_out(job, member)) is not None:
        job.keep_trained(missing, {})
        return
    teachers = {name: teacher.given(member) for name, teacher in job.teachers}
    start = taught(initial(job.architecture, dataset.task, member), teachers)

    def listen(progress: Progress) -> None:
        tell({"epoch": progress.epoch, "epochs": progress.epochs, "ended": progress.ended})

    (trained,) = train(model, stack([start]), dataset, (member,), job.fit, job.repair_settings, listen)
    job.keep_trained(trained, seen(model, trained.parameters, dataset, member))


def explain_member(job: Job, member: Member, tell: Any) -> None:
    """Explain the job's rows with the job's explainers and write the scores."""
    if group_of(member) is None and not job.change and job.about(member, ANSWERS) is None:
        job.keep_answers(member)
    explain(
        job,
        (member,),
        _dataset(job.data),
        job.explainers,
        tell=lambda share: tell({"epoch": share, "epochs": 1, "ended": share == 1}),
    )


TASKS = {"fit": fit_member, "explain": explain_member}


def work(task: dict[str, Any], tell: Tell) -> None:
    """Do one task: ``{"do": "fit" | "explain", "job": its JSON, "code": what to load, "places": where files
    lie, "seed": …, …}``."""
    learn(task.get("places", {}))
    for name, path, digest in task.get("code", ()):
        reload(name, path, digest)
    member = Member(task["seed"], task.get("fold"))
    TASKS[task["do"]](Job.from_json(task["job"]), member, tell)


def answer(task: dict[str, Any], tell: Tell, work: Work = work) -> None:
    """Do one task and tell how far it is, and at last that it is done or why it is not."""
    try:
        with one_thread():
            work(task, lambda said: tell(said | {"id": task["id"]}))
    except (
        HoldfastError,
        OSError,
        MemoryError,
        *WRONG,
    ) as error:  # a full disk, a full memory, a wrong method
        what = str(error) or "out of memory"
        if not isinstance(error, HoldfastError | OSError | MemoryError | RuntimeError):
            what = f"{type(error).__name__}: {what}"
        tell({"id": task["id"], "error": what, "kind": type(error).__name__})
    else:
        tell({"id": task["id"], "done": True})


def _dataset(path: Path) -> Dataset:
    if not path.exists():
        return load_dataset(path)  # which says so
    about = path.stat()
    return _read(path, about.st_mtime_ns, about.st_size)


@cache
def _read(path: Path, changed: int, size: int) -> Dataset:
    """Read once; a file that is another one by now is read again."""
    return load_dataset(path)


def _teller() -> Tell:
    """Writes answers where standard output led, which from now on is standard error: libraries print there,
    not all of them from Python."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)

    def tell(said: dict[str, Any]) -> None:
        out.write(json.dumps(said) + "\n")
        out.flush()

    return tell


def _given() -> TextIO:
    """Where standard input led, which from now on is empty: code that asks for input, or closes it as
    ``exit()`` does, must not wait for a task, or take one."""
    given = os.fdopen(os.dup(0), encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return given


def _listen(given: TextIO, tasks: "queue.Queue[dict[str, Any]]") -> None:
    for line in given:
        tasks.put(json.loads(line))
    os._exit(0)  # whoever gave the tasks is gone: stop in the middle, nothing half-written counts


def main(work: Work = work) -> None:
    """Answer tasks until standard input ends."""
    tasks: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=_listen, args=(_given(), tasks), daemon=True).start()
    tell = _teller()
    try:
        while True:
            answer(tasks.get(), tell, work)
    finally:  # whatever ends it: the thread that listens would keep the process, and whoever waits for it
        os._exit(1)


if __name__ == "__main__":
    main()
