"""A repair that needs another: what it needs is trained first, reused, and not reported."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch

from holdfast.commands.audit import carry_out
from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.core.settings import label
from holdfast.study.engine import Engine, in_order
from holdfast.study.jobs import job_of
from holdfast.study.store import Store
from holdfast.train.family import fit_all
from holdfast.train.job import Job
from holdfast.train.repair import Repair
from tests.held import hold
from tests.study.students import students
from tests.study.test_engine import MEMBERS, gpu  # noqa: F401
from tests.study.tiny import WORDS, contents, dataset, finished, flip, here, plan
from tests.test_cli import spawn
from tests.test_kill import done, kill, needs_proc

JOINED = "student+aswa"


@pytest.fixture(scope="module", autouse=True)
def _students(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with students(tmp_path_factory.mktemp("students")):
        yield


@pytest.fixture(scope="module")
def lacking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of students whose plan lacks their teachers. Look, do not touch."""
    run = tmp_path_factory.mktemp("lacking") / "run"
    with here():
        carry_out(plan(repairs=("student",)), run)
    return run


def job(run: Path, repair: str = "student", **changes: Any) -> Job:
    return job_of(plan(**changes), Store(run), 0, "planted", plan().models[0], repair)


def teacher(own: Job) -> Job:
    ((_, only),) = own.teachers
    return only


def members_of(own: Job) -> dict[str, bytes]:
    files = contents(own.folder).items()
    return {name: data for name, data in files if name.startswith("seed-") and "explained" not in name}


def test_a_job_knows_its_teacher_where_the_plan_has_it(lacking: Path) -> None:
    own = job(lacking, JOINED)
    assert own.teachers == (("", job(lacking, "none")),)
    assert own.lineage == (job(lacking, "none"), own)
    assert job(lacking, "aswa").teachers == ()
    assert Job.from_json(json.loads(json.dumps(own.to_json()))) == own


def test_teachers_come_a_stage_before_and_once(tmp_path: Path) -> None:
    first, alone, joined = (job(tmp_path, repair) for repair in ("none", "student", JOINED))
    asked = [(own, member) for own in (joined, alone) for member in MEMBERS]
    stages = in_order(asked)
    assert stages[0] == [(first, member) for member in MEMBERS]
    assert stages[1] == asked
    assert in_order([*asked, *stages[0]]) == stages, "a plan that has them trains them once"


def test_a_needed_family_that_the_plan_lacks_is_trained_and_not_reported(lacking: Path) -> None:
    families = {path.name: path for path in (lacking / "families").iterdir()}
    assert sorted(name.rsplit("+", 1)[1] for name in families) == ["none", "student"]
    assert members_of(teacher(job(lacking))) == members_of(job(finished(), "none"))
    assert not list(job(lacking, "none").folder.glob("*.explained.*")), "nobody asked them"
    report = (lacking / "report.html").read_text()
    assert "student" in report
    assert "(none)" not in report


def test_one_that_the_plan_has_is_trained_first_and_reused(tmp_path: Path, lacking: Path) -> None:
    run = tmp_path / "run"
    with here():
        carry_out(plan(repairs=("student", "none")), run)
    assert members_of(job(run)) == members_of(job(lacking))
    times = [[path.stat().st_mtime_ns for path in _notes(job(run, own))] for own in ("none", "student")]
    assert max(times[0]) < min(times[1])
    assert {len(list((run / "families").iterdir()))} == {2}


def _notes(own: Job) -> list[Path]:
    return [own.path(member).with_suffix(".json") for member in MEMBERS]


def test_what_is_finished_is_not_done_again(tmp_path: Path, lacking: Path) -> None:
    run, own = tmp_path / "run", job(tmp_path / "run")
    with here():
        carry_out(plan(repairs=("student",)), run)
        before = {path: path.stat().st_mtime_ns for path in own.folder.glob("seed-*")}
        flip(teacher(own).path(Member(1)))
        time.sleep(0.01)
        carry_out(plan(repairs=("student",)), run)
        assert teacher(own).about(Member(1)) is not None, "the damaged teacher is trained again"
    assert {path: path.stat().st_mtime_ns for path in own.folder.glob("seed-*")} == before
    assert contents(run) == contents(lacking)


def test_a_student_of_another_teacher_is_trained_again(tmp_path: Path, lacking: Path) -> None:
    own = job(tmp_path)
    dataset().save(own.data)
    with here(), Engine() as engine:
        engine.fit([(own, Member(0))], {})
        assert own.about(Member(0)) == job(lacking).about(Member(0))
        tensors, note = teacher(own).tensors(Member(0)), teacher(own).note(Member(0))
        assert note is not None
        teacher(own).keep(
            Member(0), {n: t * 2 if t.is_floating_point() else t for n, t in tensors.items()}, note
        )
        assert own.about(Member(0)) is None
        engine.fit([(own, Member(0))], {})
    assert own.about(Member(0)) is not None
    name = "parameter/head.weight"
    assert not torch.equal(own.tensors(Member(0))[name], job(lacking).tensors(Member(0))[name])


def diverged(own: Job, member: Member) -> None:
    """A teacher that was left out."""
    dataset().save(own.data)
    own.keep(member, {}, {"best": 0, "history": [], "why": "diverged in epoch 1"})


REASON = "it learns from none of the same seed, which was left out: diverged in epoch 1"


def test_the_student_of_a_teacher_that_diverged_is_left_out_with_the_reason(tmp_path: Path) -> None:
    run = tmp_path / "run"
    with here():
        carry_out(plan(repairs=("student",)), run)
        (path,) = (run / "families").glob("*none")
        for old in path.parent.rglob("seed-1*"):
            old.unlink()
        diverged(job(run, "none"), Member(1))
        carry_out(plan(repairs=("student",)), run)
    verdict = json.loads((run / "verdict.json").read_text())
    assert verdict["members"] == {"trained": 2, "left_out": [{"seed": 1, "why": REASON}], "odd": []}


def test_on_a_gpu_too_families_train_after_their_teachers(
    tmp_path: Path,
    gpu: Engine,  # noqa: F811
    lacking: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own, order = job(tmp_path), []
    diverged(job(tmp_path, "none"), Member(1))

    def on_the_cpu(
        model: Any, data: Any, members: Any, fit: Any, repair: Any, device: str, *more: Any
    ) -> Any:
        order.append((label(repair), members))
        return fit_all(model, data, members, fit, repair, "cpu", *more)

    monkeypatch.setattr("holdfast.study.engine.fit_all", on_the_cpu)
    gpu.fit([(own, member) for member in MEMBERS], {own.data: dataset()})
    assert order == [("none", (Member(0), Member(2))), ("student", (Member(0), Member(2)))]
    assert own.why(Member(1)) == REASON
    for name, tensor in own.parameters(Member(2)).items():
        assert torch.equal(tensor, job(lacking).parameters(Member(2))[name]), name


@dataclass(frozen=True)
class Itself(Repair):
    """Needs itself."""

    needs = "itself"


def test_a_repair_that_needs_itself_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdfast.study.jobs.make", lambda kind, text: Itself())
    with pytest.raises(BadSetting, match=r"^expected a repair that does not need itself, but got itself$"):
        job(tmp_path, "itself")


@needs_proc
def test_killed_between_teacher_and_student(tmp_path: Path, lacking: Path) -> None:
    run = tmp_path / "run"
    words = ["audit", *WORDS, "--repair", "student", "--out", "run", "--workers", "1"]
    kill(hold(*words, cwd=tmp_path, moment="families/*student/seed-0.json"))
    kept = done(run)
    assert len(kept) >= 4
    assert not (run / "verdict.json").exists()
    with here():
        carry_out(plan(repairs=("student",)), run)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert contents(run) == contents(lacking)


MOMENTS = [
    "families/*none/seed-0.json",
    "families/*none/seed-2.json",
    "families/*student/.seed-*.part",
    "families/*aswa/*.json",
]


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_at_any_moment(tmp_path: Path, moment: str, workers: str) -> None:
    repairs = ("student", JOINED)
    with here():
        carry_out(plan(repairs=repairs), tmp_path / "undisturbed")
    words = ["audit", *WORDS, "--repair", ",".join(repairs), "--out", "run", "--workers", workers]
    for stop in (moment, "families/*aswa/.seed-2.*.part"):
        kill(hold(*words, cwd=tmp_path, moment=stop))
    out, err = (process := spawn(*words, cwd=tmp_path)).communicate(timeout=300)
    assert process.returncode == 0, (out, err)
    assert contents(tmp_path / "run") == contents(tmp_path / "undisturbed")
