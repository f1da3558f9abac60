from dataclasses import replace
from pathlib import Path

import pytest

from holdfast.core.records import Member
from holdfast.data.base import Dataset
from holdfast.study import estimate as module
from holdfast.study.digests import with_digests
from holdfast.study.estimate import Estimate, estimate
from holdfast.study.run import run_study
from holdfast.study.store import locked_run
from holdfast.train.fit import Fit
from holdfast.train.job import Job
from tests.study import tiny

DATA = Path("data")
MEMBERS = [Member(seed) for seed in range(4)]


@pytest.fixture
def timed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which models are timed: an epoch takes two seconds, explaining an example one."""
    seen: list[str] = []

    def member_seconds(job: Job, dataset: Dataset, instances: int) -> tuple[float, float]:
        seen.append(job.model)
        return 2.0, float(instances)

    monkeypatch.setattr(module, "member_seconds", member_seconds)
    monkeypatch.setattr(module, "WORTH", 1)
    return seen


def jobs(folder: Path, fit: Fit, repairs: tuple[str, ...] = ("none",), models: int = 1) -> list[Job]:
    return [
        Job(
            folder / f"{model}{repair}", Path("data"), f"cnn:filters={model + 1}", repair, fit, ("attention",)
        )
        for model in range(models)
        for repair in repairs
    ]


def test_epochs_and_examples_are_counted(timed: list[str], tmp_path: Path, planted: Dataset) -> None:
    """Of 20 epochs a member trains at least 4, with a patience of 3: 4 × 2 + 5 to 20 × 2 + 5 seconds each;
    a family's untrained networks explain as long as two members."""
    units = [(job, member) for job in jobs(tmp_path, Fit(), ("none", "aswa")) for member in MEMBERS]
    found = estimate(units[:4], {DATA: planted}, 5, workers=2)
    assert found == Estimate((4 * (4 * 2 + 5) + 10) / 2, (4 * (20 * 2 + 5) + 10) / 2)
    whole = [(job, member) for job in jobs(tmp_path, Fit(last=True)) for member in MEMBERS]
    assert estimate(whole, {DATA: planted}, 5, workers=1) == Estimate(4 * 45 + 10, 4 * 45 + 10)
    assert timed == ["cnn:filters=1"] * 2
    both = estimate(units, {DATA: planted}, None, workers=1)
    assert both is not None
    assert both.most == 8 * 20 * 2 + (8 + 2 * 2) * len(planted.splits["test"])
    assert timed == ["cnn:filters=1"] * 3, "repairs of one model cost about the same"


def test_what_is_finished_takes_no_time(
    timed: list[str], tmp_path: Path, planted: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Job, "about", lambda job, member: {} if member.seed < 2 else None)
    monkeypatch.setattr(module, "_explained", lambda job, member: member.seed == 0)
    units = [(job, member) for job in jobs(tmp_path, Fit(last=True)) for member in MEMBERS]
    assert estimate(units, {DATA: planted}, 5, workers=1) == Estimate(2 * 40 + 5 * 5, 2 * 40 + 5 * 5)


def test_many_models_are_not_all_timed(
    timed: list[str], tmp_path: Path, planted: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE", -1.0)
    units = [(job, Member(0)) for job in jobs(tmp_path, Fit(last=True), models=3)]
    assert estimate(units, {DATA: planted}, 5, workers=1) == Estimate(3 * 55, 3 * 55)
    assert timed == ["cnn:filters=1"]


def test_short_work_is_not_estimated(tmp_path: Path, planted: Dataset) -> None:
    units = [(job, member) for job in jobs(tmp_path, Fit(epochs=1)) for member in MEMBERS]
    assert estimate(units, {DATA: planted}, 5, workers=1) is None


def test_it_is_told_before_training(timed: list[str], tmp_path: Path) -> None:
    heard: list[tuple[str, float, float]] = []
    plan = with_digests(replace(tiny.plan(seeds=2), fit=Fit(epochs=1, last=True), instances=4), None)
    with tiny.here(), locked_run(tmp_path / "run", plan, fresh=False) as store:
        run_study(plan, store, workers=2, listen=lambda *what: heard.append(what))
    stages = list(dict.fromkeys(stage for stage, _, _ in heard))
    assert stages[:3] == ["reading", "estimate", "training"]
    assert [what for what in heard if what[0] == "reading"] == [
        ("reading", 0, 1),
        ("reading", 0.0, 1),
        ("reading", 1, 1),
    ]
    assert [what for what in heard if what[0] == "estimate"] == [("estimate", 10.0, 10.0)]
