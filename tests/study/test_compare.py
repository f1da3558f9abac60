import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from holdfast.core.errors import BadRun, BadSetting, UnknownName
from holdfast.measure.hold import hold
from holdfast.study.compare import compare_runs
from holdfast.study.evidence import Evidence, evidence_of
from holdfast.study.findings_file import read_findings
from holdfast.study.headline import said
from holdfast.study.result import FamilyResult
from holdfast.study.store import Store
from tests.study import items
from tests.study.majority import majority
from tests.study.tiny import copied, dataset, finished, flip, plan, weights

SAME = "Both sides are the same family of the same run: nothing can have changed."


def test_a_run_beside_itself_did_not_change() -> None:
    same = compare_runs(finished(), finished())
    assert (same.seeds, same.instances) == (3, 20)
    for row in same.rows:
        assert (row.hold.difference.value, row.hold.p) == (0, 1)
        assert row.before == row.after
        assert row.verdicts[0] == row.verdicts[1]
        assert row.moved is not None
        assert row.moved.value == pytest.approx(0, abs=1e-6)
    assert (same.metric, same.quality.difference.value, same.worse) == ("accuracy", 0, False)
    expected = "cannot be compared" if "says nothing" in same.rows[0].verdicts else "did not change beyond"
    assert expected in same.sentence
    assert same.notes == (SAME,)


def test_a_repair_beside_none() -> None:
    found = compare_runs(finished(), finished("aswa"))
    answers = [read_findings(run).answer for run in (finished(), finished("aswa"))]
    assert [row.explainer for row in found.rows] == [row.explainer for row in answers[0].rows]
    for row in found.rows:
        for side, held, word, answer in zip(
            (row.hold.before, row.hold.after), (row.before, row.after), row.verdicts, answers, strict=True
        ):
            own = answer.row_of(row.explainer)
            assert own is not None
            assert own.hold == pytest.approx(min(max(side, 0.0), 1.0), abs=1e-9)
            assert side == pytest.approx(held.value, abs=1e-9)
            assert word == own.verdict
        assert row.hold.difference.value == pytest.approx(row.hold.after - row.hold.before)
        assert row.moved is not None
        assert row.moved.value > 0
    assert str(found.before).startswith("cnn:dim=8,filters=4, none (")
    assert str(found.after).startswith("cnn:dim=8,filters=4, aswa (")


def test_families_of_one_run_are_chosen_by_name() -> None:
    first = compare_runs(majority(), majority())
    assert (first.before.model, first.after.model) == ("shallow", "shallow")
    assert first.notes == (
        f"{majority()} has 2 families; compared is shallow with repair none: "
        "choose another with --model and --repair.",
        SAME,
    )
    both = compare_runs(majority(), majority(), ("shallow", "rlstm"), ("none",))
    assert (both.before.model, both.after.model, both.notes) == ("shallow", "rlstm", ())
    second = compare_runs(majority(), majority(), ("rlstm",))
    assert (second.before.model, second.after.model) == ("rlstm", "rlstm")
    assert [row.hold.after for row in both.rows if row.explainer == "lrp"] == [
        row.hold.before for row in second.rows if row.explainer == "lrp"
    ]
    with pytest.raises(UnknownName, match=r"^unknown model of this run 'deep'"):
        compare_runs(majority(), majority(), ("deep",))
    with pytest.raises(BadSetting, match=r"^--model: expected one name for both runs, or one for each, but"):
        compare_runs(majority(), majority(), ("rlstm", "shallow", "rlstm"))


def test_a_recommender_has_a_recall() -> None:
    assert compare_runs(items.finished(), items.finished()).metric == "recall@10 %"


def test_other_data_cannot_be_compared(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    values = json.loads((run / "plan.json").read_text()) | {"digests": ["00" * 32]}
    Store(run).keep("plan.json", json.dumps(values).encode())
    with pytest.raises(BadRun, match="are runs on different data: compare runs on the same data"):
        compare_runs(finished(), run)


@pytest.mark.parametrize("name", ["data-0.safetensors", "verdict.json", "gradient", "request"])
def test_a_damaged_run_is_refused_not_compared_without_a_seed(tmp_path: Path, name: str) -> None:
    run = copied(tmp_path / "run")
    if name == "request":
        path = weights(run, 0).with_name("request.safetensors")
    else:
        path = run / name if "." in name else weights(run, 1, name)
    flip(path)
    with pytest.raises(BadRun, match="damaged: run its command again"):
        compare_runs(finished(), run)


def test_an_unfinished_run_is_refused(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    weights(run, 2, "gradient").with_suffix(".json").unlink()
    with pytest.raises(BadRun, match="run its command again"):
        compare_runs(run, finished())


def test_a_run_without_its_weights_is_compared_all_the_same(tmp_path: Path) -> None:
    run = copied(tmp_path / "run", "aswa")
    for seed in range(3):
        weights(run, seed).unlink()
    here, whole = compare_runs(finished(), run), compare_runs(finished(), finished("aswa"))
    assert here == replace(whole, after=here.after)


def test_only_texts_that_both_explained_are_compared(tmp_path: Path) -> None:
    from holdfast.train.request import Request
    from holdfast.train.score_file import ScoreFile, Scores, explainers_of
    from holdfast.train.untrained import UNTRAINED
    from tests.study.test_result import job_of

    run = copied(tmp_path / "run")
    job = job_of(run)
    path, whole = job.request, Request.read(job.request)
    asked = Request(whole.rows[3:9], whole.target[3:9])
    width = int(dataset().splits["test"].lengths[asked.rows].max())
    for member in (*plan().members, *UNTRAINED):
        for text in explainers_of(job, member):
            file = ScoreFile(job, member, text)
            own = file.read(whole)
            lost = None if own.lost is None else own.lost[3:9]
            file.keep(Scores(asked, own.scores[3:9, :width], lost))
    Store(run).enter({str(path.relative_to(run)): asked.write(path)})
    found = compare_runs(finished(), run)
    assert found.instances == 6
    for row in found.rows:
        assert torch.isfinite(torch.tensor(row.hold.after))
        assert row.moved is not None
        assert row.moved.value == pytest.approx(0, abs=1e-6)


def test_an_impostor_that_one_run_lacks_is_left_out_on_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = compare_runs(finished(), finished())
    sides: list[FamilyResult] = []

    def without(family: FamilyResult) -> Evidence:
        sides.append(family)
        evidence = evidence_of(family)
        if len(sides) == 1:
            return evidence
        fewer = {name: scale.only(["shuffled"]) for name, scale in evidence.scales.items()}
        return replace(evidence, scales=fewer)

    monkeypatch.setattr("holdfast.study.compare.evidence_of", without)
    found = compare_runs(finished(), finished())
    shuffled = {name: hold(s.only(["shuffled"])) for name, s in evidence_of(sides[0]).scales.items()}
    assert any(a.before.value < b.before.value for a, b in zip(whole.rows, found.rows, strict=True))
    for row in found.rows:
        held = shuffled[row.explainer]
        assert held is not None
        assert row.before == row.after == held.interval
        assert (row.hold.difference.value, row.hold.p) == (0, 1)
        assert row.lacking == {"untrained order": "after"}
    first = said(found.rows[0].explainer)
    assert found.notes[1] == (
        f"Hold of {first}: the impostor “untrained order” is left out on both sides, as too few of these "
        "examples have one after."
    )
    assert found.to_json()["rows"][0]["lacking"] == dict(found.rows[0].lacking)
