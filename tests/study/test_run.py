import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from holdfast.commands.audit import carry_out
from holdfast.commands.report import report
from holdfast.core.errors import BadSetting, Failed, TooFewMembers
from holdfast.data.source import Source, load
from holdfast.explain.gradient import Gradient
from holdfast.study import run as steps
from holdfast.study.command import SAME
from holdfast.study.digests import with_digests
from holdfast.study.findings import Findings
from holdfast.study.findings_file import read_findings
from holdfast.study.notes import ELSEWHERE
from holdfast.study.result import FamilyResult
from holdfast.study.run import _members, run_study, write_results
from holdfast.study.store import Store, locked_run
from holdfast.train.fit import Fit
from holdfast.train.optimise import Sgd
from tests.study.strips import images, images_plan
from tests.study.tiny import contents, copied, finished, flip, here, plan, weights


def times(run: Path) -> dict[str, int]:
    return {str(path.relative_to(run)): path.stat().st_mtime_ns for path in run.rglob("*.safetensors")}


def again(run: Path) -> None:
    with here():
        carry_out(plan(), run)


def test_the_same_plan_elsewhere_gives_the_same_bytes(tmp_path: Path) -> None:
    with here():
        carry_out(plan(), tmp_path / "other")
    assert contents(tmp_path / "other") == contents(finished())


def test_a_finished_run_answers_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = copied(tmp_path / "run")
    before = {path: path.stat().st_mtime_ns for path in run.rglob("*")}
    monkeypatch.setattr("holdfast.study.engine.Pool", None)
    monkeypatch.setattr("holdfast.commands.audit.run_study", None)
    answer = carry_out(plan(), run)
    assert answer.answer.to_json() == json.loads((run / "verdict.json").read_text())
    changed = [p for p, mtime in before.items() if p.stat().st_mtime_ns != mtime and p.name != ".lock"]
    assert changed == []


@pytest.mark.parametrize("kind", ["", "gradient", "answers"])
def test_a_flipped_bit_costs_that_member_and_nothing_else(tmp_path: Path, kind: str) -> None:
    """In a run that is finished, too."""
    run = copied(tmp_path / "run")
    before, broken = times(run), weights(run, 1, kind)
    flip(broken)
    again(run)
    after = times(run)
    redone = {name for name in before if after[name] != before[name]}
    assert redone == {
        str(broken.relative_to(run)),
        str(weights(run, 1).relative_to(run).with_name("request.safetensors")),
    }
    assert contents(run) == contents(finished())


def test_a_note_cut_short_costs_that_member_and_nothing_else(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    note = weights(run, 0).with_suffix(".json")
    note.write_bytes(note.read_bytes()[:40])
    before = times(run)
    again(run)
    assert [
        name for name, mtime in times(run).items() if mtime != before[name] and "request" not in name
    ] == [str(weights(run, 0).relative_to(run))]
    assert contents(run) == contents(finished())


@pytest.mark.parametrize("name", ["findings.json", "results.parquet", "manifest.json", "data-0.safetensors"])
def test_damaged_results_are_made_again_from_the_members(tmp_path: Path, name: str) -> None:
    run = copied(tmp_path / "run")
    members = {k: v for k, v in times(run).items() if "/seed-" in k}
    flip(run / name, 0 if name == "manifest.json" else 30)
    again(run)
    assert {k: v for k, v in times(run).items() if "/seed-" in k} == members
    assert contents(run) == contents(finished())


@pytest.mark.parametrize("kind", ["", "gradient", "answers"])
def test_what_is_gone_is_made_again(tmp_path: Path, kind: str) -> None:
    run = copied(tmp_path / "run")
    weights(run, 2, kind).unlink()
    again(run)
    assert contents(run) == contents(finished())


def test_a_run_of_a_gpu_is_measured_without_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    run = copied(tmp_path / "run")
    with pytest.raises(BadSetting, match="torch sees none: use --device cpu"):
        carry_out(plan(device="cuda"), tmp_path / "new")
    assert not (tmp_path / "new").exists()
    Store(run).turn_to(replace(Store(run).plan, device="cuda"))  # as if it had been trained there
    with here():
        carry_out(plan(device="cuda"), run)
    before, after = (read_findings(folder) for folder in (finished(), run))
    assert after.rows == before.rows
    assert ELSEWHERE in after.notes
    assert ELSEWHERE not in before.notes


def test_results_are_shown_without_weights_data_and_explanations(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    shutil.rmtree(run / "families")
    (run / "data-0.safetensors").unlink()
    assert read_findings(run) == read_findings(finished())
    before = (run / "report.html").read_bytes()
    (run / "report.html").unlink()
    assert report(run).read_bytes() == before


def test_nothing_that_varies_is_in_the_verdict() -> None:
    assert set(json.loads((finished() / "verdict.json").read_text())) == {
        "schema", "verdict", "between", "headline", "reason", "do", "decides", "rows", "quality", "members",
        "worth",
    }  # fmt: skip


def small(**changes: Any) -> Any:
    return plan(
        **({"explainers": ("attention", "gradient"), "comparisons": ("kl",), "instances": 5} | changes)
    )


def run_plan(own: Any, folder: Path) -> tuple[list[FamilyResult], Findings]:
    own = with_digests(own, None)
    with here(), locked_run(folder, own, fresh=False) as store:
        families = run_study(own, store)
        return families, write_results(own, store, "holdfast audit", families)


def test_an_explainer_that_fails_is_recorded_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: object, *args: object) -> None:
        raise RuntimeError("no gradient today")

    monkeypatch.setattr(Gradient, "scores", fail)
    (family,), findings = run_plan(small(), tmp_path / "run")
    assert list(family.explanations) == ["attention"]
    assert family.failed == {"gradient": "RuntimeError: no gradient today"}
    assert any("gradient could not explain" in note for note in findings.notes)
    with pytest.raises(Failed) as caught:
        run_plan(small(explainers=("gradient",)), tmp_path / "other")
    assert str(caught.value) == (
        "no explainer could be run on cnn:dim=8,filters=4: gradient: RuntimeError: no gradient today"
    )


def test_members_that_diverge_leave_too_few(tmp_path: Path) -> None:
    own = small(fit=Fit(epochs=1, optimiser=Sgd(lr=1e30)))
    with pytest.raises(TooFewMembers, match="0 of 3 members trained well, but two are needed"):
        run_plan(own, tmp_path / "run")


def test_repairs_are_set_beside_none(tmp_path: Path) -> None:
    families, findings = run_plan(small(seeds=2, repairs=("aswa", "none")), tmp_path / "run")
    gains = [row for row in findings.rows if row.quantity == "gain"]
    assert {(row.repair, row.other_repair) for row in gains} == {("aswa", "none")}
    assert len(families) == 2


def test_examples_are_chosen_by_the_explainer_that_decides(tmp_path: Path) -> None:
    _, findings = run_plan(small(), tmp_path / "run")
    assert findings.answer.decides is not None
    first = findings.answer.decides.explainer
    holds = [heat.hold for one in findings.examples for heat in one.heats if heat.explainer == first]
    assert holds == sorted(holds, key=lambda hold: -(hold or 0.0))


def test_random_scores_alone_are_no_explanation(tmp_path: Path) -> None:
    _, findings = run_plan(small(explainers=("random",)), tmp_path / "run")
    answer = findings.answer
    assert (answer.verdict, answer.decides, answer.rows) == ("says nothing", None, ())
    assert answer.headline == "Nothing can be shown: random scores are no explanation."
    assert answer.do.startswith(f"Try other explainers ({SAME}): holdfast audit planted:")
    assert read_findings(tmp_path / "run").answer == answer


def test_numbers_do_not_depend_on_how_many_cores_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything is measured in one torch thread; how many others had is as before."""
    run, seen = copied(tmp_path / "run"), []
    (run / "results.parquet").unlink()
    for name in ("matters_of", "certificate_rows", "answer_of"):
        own = getattr(steps, name)
        monkeypatch.setattr(
            steps, name, lambda *given, own=own: (seen.append(torch.get_num_threads()), own(*given))[1]
        )
    torch.set_num_threads(2)
    try:
        again(run)
        assert (seen, torch.get_num_threads()) == ([1, 1, 1], 2)
    finally:
        torch.set_num_threads(1)
    assert contents(run) == contents(finished())


@pytest.mark.parametrize(("data", "folds"), [("digits-maj:folds=3", 3), ("digits-maj", 0), ("planted", 0)])
def test_folds_only_where_the_data_have_some(data: str, folds: int) -> None:
    own = plan(data=(Source(data),), seeds=2, folds=3)
    found = _members(own, load(own.data[0]))
    assert found == own.members[: 2 + folds]


def test_an_audit_of_images_from_end_to_end(tmp_path: Path) -> None:
    run = images()
    found = read_findings(run)
    assert found.answer.verdict in ("undecided", "not learned", "says nothing")  # two seeds
    assert found.answer.members.trained == 2
    assert found.examples == ()
    assert {picture.model for picture in found.pictures} == {"", "shallow"}
    assert {"hold", "stability", "accuracy"} <= {row.quantity for row in found.rows}
    assert "data:image/png" in (run / "report.html").read_text()
    with here():
        carry_out(images_plan(), tmp_path / "other")
    assert contents(tmp_path / "other") == contents(run)
