"""Runs grow by seeds, explainers and instances, and are then what they would be had they begun so large."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from holdfast.commands.audit import carry_out
from holdfast.commands.report import report
from holdfast.core.errors import BadRun, TooFewMembers
from holdfast.core.files import json_bytes
from holdfast.core.records import Member
from holdfast.data.perturb.split import PerturbedSplit
from holdfast.data.source import Source
from holdfast.study.compare import compare_runs
from holdfast.study.engine import Engine
from holdfast.study.explain import explain_text
from holdfast.study.findings_file import read_findings
from holdfast.study.plan import Plan
from holdfast.study.store import Store
from holdfast.train import explaining
from holdfast.train.fit import Fit
from holdfast.train.job import Job
from holdfast.train.optimise import Adam
from holdfast.train.request import Request
from holdfast.train.score_file import ScoreFile
from tests.study.students import students
from tests.study.test_engine import gpu  # noqa: F401
from tests.study.tiny import MODEL, contents, copied, dataset, finished, flip, here, plan, weights

SOME = ("gradient", "random")


def small(**changes: Any) -> Plan:
    return plan(**({"seeds": 2, "instances": 8, "explainers": SOME} | changes))


def carried(own: Plan, run: Path) -> None:
    with here():
        carry_out(own, run)


@pytest.fixture(scope="module")
def began(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished small run. Look, do not touch."""
    run = tmp_path_factory.mktemp("small") / "run"
    carried(small(), run)
    return run


@contextmanager
def counted() -> Iterator[list[tuple[str, int]]]:
    """Which explainers are asked, of how many rows."""
    asked: list[tuple[str, int]] = []
    scored = explaining.scored

    def spy(model: Any, weights: Any, members: Any, explainer: Any, split: Any, rows: Any, *more: Any) -> Any:
        asked.append((type(explainer).__name__, len(rows)))
        return scored(model, weights, members, explainer, split, rows, *more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(explaining, "scored", spy)
        yield asked


@pytest.mark.parametrize(
    "less",
    [{"seeds": 2}, {"explainers": SOME}, {"instances": 8}, {"seeds": 2, "explainers": SOME, "instances": 8}],
    ids=["seeds", "explainers", "instances", "all"],
)
def test_a_grown_run_is_a_run_that_began_so_large(tmp_path: Path, less: dict[str, Any]) -> None:
    run = tmp_path / "run"
    carried(plan(**less), run)
    assert contents(run) != contents(finished())
    carried(plan(), run)
    assert contents(run) == contents(finished())


def test_only_what_is_new_is_trained_and_explained(began: Path, tmp_path: Path) -> None:
    run = shutil.copytree(began, tmp_path / "run", symlinks=True)
    before = weights(run, 0).stat().st_mtime_ns
    with counted() as asked:
        carried(small(explainers=(*SOME, "attention")), run)
    assert {name for name, _ in asked} == {"Attention"}
    with counted() as asked:
        carried(small(explainers=(*SOME, "attention"), instances=12), run)
    by_members = [count for name, count in asked if name == "Random"]
    assert by_members == [4, 4], "four more rows of each member"
    assert sum(count for name, count in asked if name == "Gradient") == (2 + 2) * 4
    assert weights(run, 0).stat().st_mtime_ns == before


def test_only_rows_whose_class_changed_are_explained_again(tmp_path: Path) -> None:
    run = tmp_path / "run"
    carried(plan(seeds=4, explainers=SOME), run)
    (request,) = run.glob("families/*/request.safetensors")
    old = Request.read(request)
    with counted() as asked:
        carried(plan(seeds=5, explainers=SOME), run)
    changed = int((Request.read(request).target != old.target).sum())
    assert 0 < changed < 20
    assert [count for name, count in asked if name == "Random"] == [changed] * 4 + [20]


def test_a_smaller_question_deletes_nothing_and_says_what_more_is_there(began: Path, tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    with here():
        answer = carry_out(small(), run)
    assert set(contents(run)) == set(contents(finished()))
    found = read_findings(run)
    assert answer.more == (
        "This run also holds seed 2, scores by attention, gradient_input, integrated_gradients and "
        "leave_one_out and scores of 12 more examples."
    )
    assert answer.more in found.notes
    fresh = shutil.copytree(began, tmp_path / "fresh", symlinks=True)
    assert read_findings(fresh).answer == found.answer
    assert read_findings(fresh).rows == found.rows
    assert report(run).exists()
    assert explain_text(run, "a film that nobody liked").seeds == (0, 1)
    assert compare_runs(run, fresh).seeds == 2
    with counted() as asked:
        carried(plan(), run)
    assert asked == [], "the larger question is answered from what is there"
    assert contents(run) == contents(finished())


def test_the_same_smaller_question_again_answers_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = copied(tmp_path / "run")
    carried(small(), run)
    monkeypatch.setattr("holdfast.commands.audit.run_study", None)
    carried(small(), run)


def test_more_of_one_and_less_of_another(tmp_path: Path) -> None:
    run = tmp_path / "run"
    carried(small(seeds=3), run)
    carried(small(seeds=2, instances=20, explainers=plan().explainers), run)
    assert "This run also holds seed 2." in read_findings(run).notes
    carried(plan(), run)
    assert contents(run) == contents(finished())


def requested(run: Path) -> list[dict[int, int]]:
    """The class that each row is explained for, by family."""
    paths = sorted(run.glob("families/*/request.safetensors"))
    return [dict(Request.read(path).entries) for path in paths]


def test_several_models_and_repairs_grow_by_all_at_once(tmp_path: Path) -> None:
    """With a composed repair that needs a teacher, which is in the plan too."""
    run, fresh = tmp_path / "run", tmp_path / "fresh"
    fit = Fit(epochs=2, batch=16, optimiser=Adam(lr=0.05))
    about = {"data": (Source("planted:train=40,validation=10,test=20"),), "fit": fit}
    about |= {"models": (MODEL, "cnn:filters=2,dim=4"), "repairs": ("student+aswa", "none")}
    with students(tmp_path / "code"):
        large = small(**about, seeds=3, instances=16, explainers=(*SOME, "attention"))
        carried(small(**about, instances=12), run)
        before = {path: path.stat().st_mtime_ns for path in run.glob("families/*/seed-*")}
        classes = requested(run)
        carried(large, run)
        carried(large, fresh)
    assert len(before) == 2 * 2 * 2 * 2
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert contents(run) == contents(fresh)
    grown = zip(classes, requested(run), strict=True)
    assert any(now[row] != old[row] for old, now in grown for row in old), "no class changed: another case"


@pytest.mark.parametrize("kind", ["", "gradient"], ids=["weights", "scores"])
def test_a_damaged_member_is_made_again_as_the_run_grows(tmp_path: Path, kind: str) -> None:
    run = tmp_path / "run"
    carried(plan(seeds=2), run)
    flip(weights(run, 1, kind))
    carried(plan(), run)
    assert contents(run) == contents(finished())


def test_scores_that_are_damaged_or_failed_are_not_held(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    for seed in range(3):
        flip(weights(run, seed, "gradient_input"))
        own = Job(weights(run, 0).parent, run / "data-0.safetensors", MODEL, "none", Fit())
        ScoreFile(own, Member(seed), "attention").keep_failure(Request.read(own.request), "it broke")
    carried(plan(explainers=SOME), run)
    said = "This run also holds scores by integrated_gradients and leave_one_out."
    assert said in read_findings(run).notes
    carried(plan(explainers=plan().explainers[1:]), run)
    assert not any("also holds" in note for note in read_findings(run).notes)


def test_a_question_that_too_few_members_can_answer_leaves_the_run_as_it_was(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    (family,) = (run / "families").iterdir()
    own = Job(family, run / "data-0.safetensors", MODEL, "none", Fit(epochs=2), plan().explainers)
    own.keep(Member(1), {}, {"best": 0, "history": [], "why": "diverged in epoch 1"})
    carried(plan(), run)
    before = contents(run)
    with pytest.raises(TooFewMembers, match=r"^1 of 2 members trained well, .*diverged in epoch 1\)$"):
        carried(plan(seeds=2), run)
    assert contents(run) == before
    assert read_findings(run).answer.members.trained == 2


def test_on_a_gpu_members_that_lack_the_same_are_asked_at_once(
    tmp_path: Path,
    gpu: Engine,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run, together = copied(tmp_path / "run"), []
    (family,) = (run / "families").iterdir()
    own = Job(family, run / "data-0.safetensors", MODEL, "none", Fit(epochs=2), SOME)
    for path in family.glob("*/seed-2*"):
        path.unlink()
    old = Request.read(own.request)
    old._replace(target=torch.cat([1 - old.target[:1], old.target[1:]])).write(own.request)

    def on_the_cpu(job: Job, members: Any, data: Any, texts: Any, device: str) -> None:
        together.append(members)
        for member in members:
            explaining.explain(job, (member,), data, texts)

    monkeypatch.setattr("holdfast.study.engine.explain", on_the_cpu)
    with counted() as asked:
        gpu.explain([(own, Member(seed)) for seed in range(3)], {own.data: dataset()})
    assert together == [(Member(0), Member(1)), (Member(2),)]
    assert [count for name, count in asked if name == "Gradient"] == [1, 1, 20]
    changed = replace(own, change="typos")
    request, data = Request.read(own.request), dataset()
    PerturbedSplit.of("typos", data, data.splits["test"], request.rows).write(changed.changed_data)
    with counted() as asked:
        gpu.explain([(job, Member(seed)) for seed in range(3) for job in (own, changed)], {own.data: data})
    assert asked == [("Gradient", 20)] * 3, "what is perturbed, and only that"
    assert together[2:] == [(Member(0), Member(1), Member(2))]


class Stops(Exception):
    """A process that is killed."""


@pytest.mark.parametrize("moment", ["training", "explaining", "measuring", "drawing"])
def test_killed_while_it_grows(began: Path, tmp_path: Path, moment: str) -> None:
    run = shutil.copytree(began, tmp_path / "run", symlinks=True)
    before = read_findings(run)

    def listen(stage: str, done: float, total: float) -> None:
        if stage == moment and (done or stage in ("measuring", "drawing")):
            raise Stops

    with here(), pytest.raises(Stops):
        carry_out(plan(), run, listen=listen)
    if moment == "training":
        assert read_findings(run) == before, "until all are trained the smaller run is as it was"
    elif moment != "drawing":
        with pytest.raises(BadRun, match="run its command again"):
            read_findings(run)
    carried(plan(), run)
    assert contents(run) == contents(finished())


@pytest.mark.parametrize("seeds", [3, 4], ids=["resumed", "asked for yet another size"])
def test_killed_between_the_plan_and_the_manifest(began: Path, tmp_path: Path, seeds: int) -> None:
    run, large = shutil.copytree(began, tmp_path / "run", symlinks=True), finished()
    (run / "plan.json").write_bytes(json_bytes(plan(seeds=seeds, digests=Store(run).plan.digests).to_json()))
    carried(plan(), run)
    assert contents(run) == contents(large)


def test_a_damaged_seed_that_nobody_asks_for_is_forgotten_until_somebody_does(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    flip(weights(run, 2))
    carried(plan(seeds=2), run)
    assert not any("also holds" in note for note in read_findings(run).notes)
    carried(plan(), run)
    assert contents(run) == contents(finished())


def test_a_moved_run_grows_without_its_data(tmp_path: Path) -> None:
    lines = ["text,label", *(f"a {'good' if n % 2 else 'bad'} film {n % 7},{n % 2}" for n in range(80))]
    data = tmp_path / "films.csv"
    data.write_text("\n".join(lines))
    own = small(data=(Source(str(data)),), explainers=("gradient", "random"))
    carried(own, tmp_path / "run")
    shutil.move(tmp_path / "run", tmp_path / "moved")
    data.unlink()
    carried(replace(own, seeds=3), tmp_path / "moved")
    assert read_findings(tmp_path / "moved").answer.members.trained == 3
