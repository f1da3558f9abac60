"""kill -9 at any moment: the same command again gives the very bytes of a run that nobody disturbed."""

import inspect
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from holdfast.commands.audit import carry_out
from tests.held import hold
from tests.repair.toys import Student
from tests.study.tiny import MODEL, WORDS, contents, finished, here, plan
from tests.test_cli import spawn

MORE = ["planted:train=200,validation=40,test=40", "--model", MODEL, "--seeds", "3", "--epochs", "4"]
MORE += ["--repair", "none,aswa", "--explainer", "attention,gradient,leave_one_out"]
MORE += ["--instances", "30", "--workers", "2", "--quiet"]


def workers(parent: int) -> list[int]:
    """The worker processes of a command."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat, command = (entry / "stat").read_text(), (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if int(stat.rsplit(")", 1)[1].split()[1]) == parent and b".worker" in command:
                found.append(int(entry.name))
    return found


def alive(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def kill(process: "subprocess.Popen[str]") -> None:
    """kill -9 of the command alone; its workers must notice and end."""
    orphans = workers(process.pid)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    end = time.monotonic() + 120
    while any(alive(pid) for pid in orphans):
        assert time.monotonic() < end, "a worker outlives the command that started it"
        time.sleep(0.02)


def done(run: Path) -> dict[Path, int]:
    """When every member that is finished was written."""
    notes = [*run.glob("families/*/seed-*.json"), *run.glob("families/*/*/*.json")]
    return {
        path.with_suffix(".safetensors"): path.with_suffix(".safetensors").stat().st_mtime_ns
        for path in notes
    }


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for workers in /proc")


@needs_proc
def test_killed_while_training(tmp_path: Path) -> None:
    run = tmp_path / "run"
    words = ["audit", *WORDS, "--out", "run", "--workers", "1"]
    kill(hold(*words, cwd=tmp_path, moment="families/*/seed-0.json"))
    kept = done(run)
    assert kept
    assert not (run / "verdict.json").exists()
    with here():
        carry_out(plan(), run)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert contents(run) == contents(finished())


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """The run that nobody disturbed, and how long it took."""
    folder, began = tmp_path_factory.mktemp("undisturbed"), time.monotonic()
    out, err = (process := spawn("audit", *MORE, "--out", "run", cwd=folder)).communicate(timeout=300)
    assert process.returncode == 0, (out, err)
    return folder / "run", time.monotonic() - began


MOMENTS = {
    "before training": "data-0.safetensors",
    "training": "families/*/seed-*.json",
    "training the second family": "families/*aswa/seed-1.json",
    "asking": "families/*/request.safetensors",
    "explaining": "families/*/gradient/seed-*.json",
    "writing a member": "families/*/.seed-*.part",
    "explaining with untrained networks": "families/*/*/untrained-0.json",
    "measuring": ".results.parquet.*.part",
    "writing the table": "results.parquet",
    "writing the rest": "findings.json",
}
LUCK = [f"after a while {number}" for number in range(4)]


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize("moment", [*MOMENTS, *LUCK])
def test_killed_at_any_moment(tmp_path: Path, undisturbed: tuple[Path, float], moment: str) -> None:
    reference, seconds = undisturbed
    draw, run, kept = random.Random(moment), tmp_path / "run", {}
    for attempt in range(2):
        if attempt == 0 and moment in MOMENTS:
            process = hold("audit", *MORE, "--out", "run", cwd=tmp_path, moment=MOMENTS[moment])
        else:
            process = spawn("audit", *MORE, "--out", "run", cwd=tmp_path)
            time.sleep(draw.uniform(0.2, 1) * seconds)
        kill(process)
        kept |= {path: mtime for path, mtime in done(run).items() if path not in kept}
    out, err = (process := spawn("audit", *MORE, "--out", "run", "--json", cwd=tmp_path)).communicate(
        timeout=300
    )
    assert (process.returncode, err) == (0, ""), out
    assert {path: path.stat().st_mtime_ns for path in kept} == kept, "a finished member was trained again"
    assert contents(run) == contents(reference)
    assert not list(run.rglob("*.part"))


IMPORTS = """from dataclasses import dataclass

from holdfast.core.records import Edit
from holdfast.train.repair import Repair


"""


def question(seeds: int, instances: int, explainers: str) -> list[str]:
    words = f"--seeds {seeds} --instances {instances} --explainer {explainers} --epochs 4 --workers 2"
    words += " --repair none,./mine.py:Student+aswa --out run --quiet"
    return [MORE[0], "--model", MODEL, *words.split()]


SMALL, LARGER, LARGEST = (
    question(2, 10, "gradient,random"),
    question(3, 30, "attention,gradient,leave_one_out"),
    question(4, 30, "attention,gradient,leave_one_out,random"),
)
GROWING = {
    "training": "families/*none/seed-2.json",
    "training students": "families/*aswa/seed-2.json",
    "turning to the plan": "plan.json",
    "explaining": "families/*/leave_one_out/seed-*.json",
    "measuring": ".results.parquet.*.part",
}


def answered(words: list[str], folder: Path) -> None:
    out, err = (process := spawn("audit", *words, cwd=folder)).communicate(timeout=600)
    assert (process.returncode, err) == (0, ""), out


def with_student(folder: Path) -> Path:
    """A folder to work in, with a repair that needs a teacher."""
    (folder / "mine.py").write_text(IMPORTS + inspect.getsource(Student))
    return folder


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run that began at the last size."""
    folder = with_student(tmp_path_factory.mktemp("large"))
    answered(LARGEST, folder)
    return folder / "run"


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize("resumed", [True, False], ids=["resumed", "grown further at once"])
@pytest.mark.parametrize("moment", GROWING)
def test_killed_while_it_grows(tmp_path: Path, large: Path, moment: str, resumed: bool) -> None:
    run = with_student(tmp_path) / "run"
    answered(SMALL, tmp_path)
    kill(hold("audit", *LARGER, cwd=tmp_path, moment=GROWING[moment]))
    kept = {path: when for path, when in done(run).items() if path.parent.parent.name == "families"}
    for words in (LARGER, LARGEST) if resumed else (LARGEST,):
        answered(words, tmp_path)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept, "a finished member was trained again"
    assert contents(run) == contents(large)
