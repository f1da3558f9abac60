"""Runs grow by seeds, explainers and instances, and are then what they would be had they begun so large."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdfast.commands.audit import carry_out
from holdfast.commands.report import report
from holdfast.core.errors import BadRun
from holdfast.data.source import Source
from holdfast.study.compare import compare_runs
from holdfast.study.explain import explain_text
from holdfast.study.findings_file import read_findings
from holdfast.study.plan import Plan
from holdfast.train import explaining
from holdfast.train.request import Request
from tests.study.tiny import contents, copied, finished, flip, here, plan, weights

SOME = ("gradient", "random")


def small(**changes: Any) -> Plan:
    return plan(**({"seeds": 2, "instances": 8, "explainers": SOME} | changes))


def carried(own: Plan, run: Path) -> None:
    with here():
        carry_out(own, run)


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


def test_only_what_is_new_is_trained_and_explained(tmp_path: Path) -> None:
    run = tmp_path / "run"
    carried(small(), run)
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


def test_a_smaller_question_deletes_nothing_and_says_what_more_is_there(tmp_path: Path) -> None:
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
    fresh = tmp_path / "fresh"
    carried(small(), fresh)
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


class Stops(Exception):
    """A process that is killed."""


@pytest.mark.parametrize("moment", ["training", "explaining", "measuring", "drawing"])
def test_killed_while_it_grows(tmp_path: Path, moment: str) -> None:
    run = tmp_path / "run"
    carried(small(), run)
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


def test_killed_between_the_plan_and_the_manifest(tmp_path: Path) -> None:
    run, large = tmp_path / "run", finished()
    carried(small(), run)
    shutil.copy(large / "plan.json", run / "plan.json")
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
