import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from holdfast.core.errors import BadRun
from holdfast.study.compare import compare_runs
from holdfast.study.findings_file import read_findings
from holdfast.study.store import Store
from tests.study.tiny import copied, dataset, finished, flip, plan, weights


def test_a_run_beside_itself_did_not_change() -> None:
    same = compare_runs(finished(), finished())
    assert (same.seeds, same.instances) == (3, 20)
    for change in same.hold.values():
        assert (change.difference.value, change.p) == (0, 1)
        assert change.before == change.after
    assert all(moved.value == pytest.approx(0, abs=1e-6) for moved in same.moved.values())
    assert same.accuracy.difference.value == 0
    first, *_ = same.verdicts.values()
    expected = "cannot be compared" if "says nothing" in first else "did not change beyond chance"
    assert expected in same.sentence


def test_a_repair_beside_none() -> None:
    found = compare_runs(finished(), finished("aswa"))
    assert "random" not in found.hold
    for name, change in found.hold.items():
        for side, run in ((change.before, finished()), (change.after, finished("aswa"))):
            rows = [
                row for row in read_findings(run).rows
                if (row.quantity, row.explainer, row.by) == ("hold", name, "all")
            ]  # fmt: skip
            if rows:
                assert side == pytest.approx(rows[0].value, abs=1e-9)
        assert change.difference.value == pytest.approx(change.after - change.before)
        assert found.moved[name].value > 0
    assert found.before.startswith("cnn:dim=8,filters=4, none (")
    assert found.after.startswith("cnn:dim=8,filters=4, aswa (")
    assert json.loads(json.dumps(found.to_json()))["schema"] == 2


def test_other_data_cannot_be_compared(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    values = json.loads((run / "plan.json").read_text()) | {"digests": ["00" * 32]}
    Store(run).keep("plan.json", json.dumps(values).encode())
    with pytest.raises(BadRun, match="are runs on different data: compare runs on the same data"):
        compare_runs(finished(), run)


@pytest.mark.parametrize("name", ["data-0.safetensors", "gradient", "request"])
def test_a_damaged_run_is_refused_not_compared_without_a_seed(tmp_path: Path, name: str) -> None:
    run = copied(tmp_path / "run")
    if name == "request":
        path = weights(run, 0).with_name("request.safetensors")
    else:
        path = run / name if name.startswith("data") else weights(run, 1, name)
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
    assert all(torch.isfinite(torch.tensor(change.after)) for change in found.hold.values())
    assert all(moved.value == pytest.approx(0, abs=1e-6) for moved in found.moved.values())
