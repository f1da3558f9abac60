"""Workers are handed tasks and followed; one that dies is named, and none outlives its pool."""

import os
import signal
import subprocess
import sys
import time

import pytest

from holdfast.core.errors import Failed
from holdfast.train.fit import Fit
from holdfast.train.job import Job
from holdfast.train.pool import Pool, cores, pool

ECHO = """#!{python}
import json, sys
for line in sys.stdin:
    task = json.loads(line)
    if "die" in task:
        sys.exit(task["die"])
    print(json.dumps({{"id": task["id"], "half": True}}), flush=True)
    print(json.dumps({{"id": task["id"], "error" if "bad" in task else "done": "so"}}), flush=True)
"""
LATER = ": what is finished is kept, so run the same command again; if it dies again, memory may be short"


@pytest.fixture
def worker(tmp_path, monkeypatch):
    """Give the pool a stand-in for a worker, so that a test need not wait for torch."""

    def put(script):
        path = tmp_path / "worker"
        path.write_text(script.format(python=sys.executable))
        path.chmod(0o755)
        monkeypatch.setattr("holdfast.train.pool.sys.executable", str(path))

    return put


def test_every_task_is_done_once_and_followed(worker):
    worker(ECHO)
    with pool(2) as workers:
        events = list(workers.run([{"n": n} for n in range(5)]))
        again = list(workers.run([{"n": 9}]))
    assert sorted(task["n"] for task, answer in events if "done" in answer) == [0, 1, 2, 3, 4]
    assert sorted(task["n"] for task, answer in events if "half" in answer) == [0, 1, 2, 3, 4]
    assert [task["n"] for task, answer in again if "done" in answer] == [9]
    assert all(process.poll() is not None for process in workers.processes)


def test_an_error_ends_its_task_only(worker):
    worker(ECHO)
    with pool(1) as workers:
        events = list(workers.run([{"n": 0, "bad": 1}, {"n": 1}]))
    ends = [(task["n"], sorted(answer.keys() - {"id"})) for task, answer in events if "half" not in answer]
    assert ends == [(0, ["error"]), (1, ["done"])]


def test_no_tasks_is_no_work(worker):
    worker(ECHO)
    with pool(1) as workers:
        assert list(workers.run([])) == []


def test_a_worker_that_dies_is_named(worker):
    worker(ECHO)
    with pool(1) as workers, pytest.raises(Failed) as caught:
        list(workers.run([{"die": 7}]))
    assert str(caught.value) == f"a worker process died (exit code 7){LATER}"


def test_a_worker_that_is_killed_before_its_task_is_named(worker):
    worker(ECHO)
    with pool(1) as workers:
        workers.processes[0].kill()
        workers.processes[0].wait()
        with pytest.raises(Failed) as caught:
            list(workers.run([{}]))
    assert str(caught.value) == f"a worker process died (exit code -9){LATER}"


def test_a_worker_that_talks_nonsense_is_ended(worker):
    worker("#!/bin/sh\necho hello\nexec sleep 600\n")
    with pool(1) as workers, pytest.raises(Failed, match=r"^a worker process died"):
        list(workers.run([{}]))
    assert workers.processes[0].poll() is not None


def test_workers_end_with_the_block_whatever_happens(worker):
    worker("#!/bin/sh\nexec sleep 600\n")
    with pytest.raises(KeyboardInterrupt), pool(2) as workers:
        raise KeyboardInterrupt
    assert [process.returncode for process in workers.processes] == [-signal.SIGKILL] * 2


def test_workers_are_told_to_use_one_thread(worker, tmp_path):
    worker(f"#!/bin/sh\necho $OMP_NUM_THREADS $MKL_NUM_THREADS > {tmp_path}/seen\nexit 0\n")
    made = Pool(1)
    made.processes[0].wait()
    made.close()
    assert (tmp_path / "seen").read_text() == "1 1\n"


def test_cores_are_those_this_process_may_use():
    assert 1 <= cores() <= os.cpu_count()


PARENT = """
import sys
from holdfast.train.pool import Pool
sys.executable = sys.argv[1]
workers = Pool(2)
sys.stdout.write(" ".join(str(process.pid) for process in workers.processes) + "\\n")
sys.stdout.flush()
sys.stdin.read()
"""


def test_workers_do_not_outlive_a_parent_that_is_killed(tmp_path):
    """The input of each ends with the parent: none holds the other end of another's."""
    stand_in, pipe = tmp_path / "worker", subprocess.PIPE
    stand_in.write_text("#!/bin/sh\nexec cat\n")
    stand_in.chmod(0o755)
    command = [sys.executable, "-c", PARENT, str(stand_in)]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as parent:
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        assert all(alive(pid) for pid in pids)
        parent.kill()
    end = time.monotonic() + 120
    while any(alive(pid) for pid in pids):
        assert time.monotonic() < end, "a worker outlived the process that started it"
        time.sleep(0.1)


def alive(pid):
    """Whether a process runs; one that only waits to be reaped does not."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def trap(folder, *names):
    """Modules that tell when they are imported."""
    for name in names:
        (folder / f"{name}.py").write_text(f"open({str(folder / 'imported')!r}, 'a').write('{name} ')\n")


@pytest.mark.parametrize("path", [None, os.pathsep.join(["", ".", "./", "lib"])])
def test_nothing_is_imported_from_the_working_directory(tmp_path, monkeypatch, path):
    (tmp_path / "lib").mkdir()
    for folder in (tmp_path, tmp_path / "lib"):
        trap(folder, "queue", "torch", "sitecustomize", "usercustomize", "holdfast")
    monkeypatch.chdir(tmp_path)
    if path is None:
        monkeypatch.delenv("PYTHONPATH", raising=False)
    else:
        monkeypatch.setenv("PYTHONPATH", path)
    job = Job(tmp_path, tmp_path / "nothing.safetensors", "cnn", "none", Fit())
    with pool(1) as workers:  # the answer comes when everything has been imported
        [(_, answer)] = workers.run([{"do": "fit", "job": job.to_json(), "seed": 0}])
    assert "nothing.safetensors" in answer["error"]
    assert not list(tmp_path.rglob("imported"))


def test_a_worker_knows_only_what_it_needs_of_the_environment(worker, tmp_path, monkeypatch):
    monkeypatch.setenv("HOLDFAST_TOKEN", "secret")
    monkeypatch.setenv("PYTHONSTARTUP", "/somewhere/else.py")
    monkeypatch.setenv("VIRTUAL_ENV", "/venv")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["", "/absolute", "src", "."]))
    worker(f"#!/bin/sh\n/usr/bin/env > {tmp_path}/seen\n")
    made = Pool(1)
    made.processes[0].wait()
    made.close()
    lines = (tmp_path / "seen").read_text().splitlines()
    seen = dict(line.split("=", 1) for line in lines)
    own = {"VIRTUAL_ENV": "/venv", "CUDA_VISIBLE_DEVICES": "1", "PYTHONSAFEPATH": "1"}
    assert seen | own == seen
    assert "HOLDFAST_TOKEN" not in seen
    assert "PYTHONSTARTUP" not in seen
    places = seen["PYTHONPATH"].split(os.pathsep)
    assert "/absolute" in places
    assert all(os.path.isabs(place) for place in places)
