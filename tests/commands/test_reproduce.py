import atexit
import csv
import json
import shutil
import sys
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from holdfast.commands.plan import study_of
from holdfast.commands.report import report
from holdfast.commands.reproduce import Reproduced, reproduce_study
from holdfast.study.findings_file import read_findings
from holdfast.study.overrides import Overrides
from holdfast.study.plan import Plan
from holdfast.study.store import Store
from tests.study.tiny import DATA, MODEL, contents, flip, here

COLUMNS = ["table", "row", "column", "published", "measured", "low", "high", "n", "note"]


def planned() -> Plan:
    overrides = Overrides(
        data=[DATA], models=(MODEL,), repairs=("none", "aswa"), seeds=2, epochs=1, instances=8
    )
    return study_of("seed-stability").plan(overrides)


@cache
def done() -> tuple[Path, Reproduced]:
    """A study of two seeds and one epoch, made once."""
    folder = Path(tempfile.mkdtemp(prefix="holdfast-study-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with here():
        return folder, reproduce_study(planned(), folder / "run")


def test_a_small_study_from_end_to_end() -> None:
    _, answer = done()
    rows = read_findings(answer.run).rows
    assert {"layer", "word", "hold", "stability", "gain", "cost"} <= {row.quantity for row in rows}
    assert {row.repair for row in rows} == {"none", "aswa"}
    assert len({(row.family, row.what, row.part) for row in rows}) == len(rows)
    html = (answer.run / "report.html").read_text()
    assert "What the document claims" in html
    assert list((answer.run / "figures").glob("*.svg"))


def test_claims_are_told_and_two_seeds_decide_none() -> None:
    _, answer = done()
    assert len(answer.claims) == len(answer.lines) == 6
    assert {claim.answer for claim in answer.claims} == {"not decided"}
    for line, claim in zip(answer.lines, answer.claims, strict=True):
        assert line.startswith(f"not decided: {claim.statement} (planted): ")
    told = answer.to_json()
    assert set(told) == {"schema", "claims", "published", "run", "seconds"}
    json.dumps(told, allow_nan=False)


def test_published_csv_has_its_columns() -> None:
    _, answer = done()
    with (answer.run / "published.csv").open(encoding="utf-8", newline="") as file:
        assert next(csv.reader(file)) == COLUMNS
    assert {row.measured for row in answer.published} == {None}  # nothing was published on planted texts
    assert {row.note for row in answer.published} == {"not run", "cannot be had"}


def test_the_rows_behind_the_claims_are_written_without_a_word_of_the_data() -> None:
    _, answer = done()
    with (answer.run / "rows.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["optimiser"] for row in rows} == {"adam"}
    assert {"member", "pair", "group"} <= {row["by"] for row in rows}
    assert not {"word", "path_x", "path_y"} & {row["quantity"] for row in rows}
    with (answer.run / "claims.csv").open(encoding="utf-8", newline="") as file:
        claims = list(csv.DictReader(file))
    assert [claim["claim"] for claim in claims] == [claim.statement for claim in answer.claims]
    assert {(c["data"], c["attention"], c["repair"], c["against"]) for c in claims} == {
        ("planted", "additive", "aswa", "none")
    }


class Absent:
    """An import system without the drawing packages."""

    def find_spec(self, name: str, *about: object) -> None:
        if name.partition(".")[0] in ("altair", "vl_convert"):
            raise ModuleNotFoundError(f"No module named '{name}'")


def test_without_the_drawing_packages_a_study_finishes_and_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, answer = done()
    run = tmp_path / "run"
    shutil.copytree(folder / "run", run)
    for name in ("report.html", "claims.csv"):
        (run / name).unlink()
    shutil.rmtree(run / "figures")
    with monkeypatch.context() as bare:
        for name in [name for name in sys.modules if name.partition(".")[0] in ("altair", "vl_convert")]:
            bare.delitem(sys.modules, name)
        for name in ("facets", "panels", "planes"):
            bare.delitem(sys.modules, f"holdfast.report.charts.{name}", raising=False)
        bare.setattr(sys, "meta_path", [Absent(), *sys.meta_path])
        with here():
            again = reproduce_study(planned(), run)
        assert again.claims == answer.claims
        assert again.lines[-1] == (
            "The drawing packages (altair, vl-convert-python) cannot be used here, so figures are shown "
            f"as tables: run holdfast report {run} where they can."
        )
    assert "so figures are shown as tables" in (run / "report.html").read_text()
    assert not (run / "figures").exists()
    shutil.rmtree(run / "families")  # weights and scores stay where the run was made
    for path in run.glob("data-*.safetensors"):
        path.unlink()
    report(run)
    for name in ("report.html", "claims.json", "claims.csv", "rows.csv", "published.csv"):
        assert (run / name).read_bytes() == (folder / "run" / name).read_bytes(), name
    assert contents(run / "figures") == contents(folder / "run" / "figures")


def test_a_study_grows_and_a_smaller_one_says_what_more_is_there(tmp_path: Path) -> None:
    folder, answer = done()
    run = tmp_path / "run"
    with here():
        larger = reproduce_study(replace(planned(), seeds=3, instances=12), run)
        smaller = reproduce_study(planned(), run)
    assert (larger.more, answer.more) == ("", "")
    assert smaller.more == "This run also holds seed 2 and scores of 4 more examples."
    assert smaller.lines == [*answer.lines, smaller.more]
    assert smaller.claims == answer.claims
    assert (run / "rows.csv").read_bytes() == (folder / "run" / "rows.csv").read_bytes()


def test_the_same_again_answers_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    folder, answer = done()
    before = contents(folder)
    monkeypatch.setattr("holdfast.commands.reproduce.run_study", None)
    assert reproduce_study(planned(), folder / "run") == answer
    assert contents(folder) == before


def test_damaged_claims_are_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, answer = done()
    run = tmp_path / "run"
    shutil.copytree(folder / "run", run)
    flip(run / "claims.json")
    monkeypatch.setattr(
        "holdfast.commands.reproduce.draw", lambda store, listen: None
    )  # the drawings are sound
    with here():
        again = reproduce_study(planned(), run)
    assert again.claims == answer.claims
    assert contents(run) == contents(folder / "run")


def test_a_report_needs_the_results_alone(tmp_path: Path) -> None:
    folder, _ = done()
    run = tmp_path / "run"
    run.mkdir()
    for name in ("plan.json", "manifest.json", "results.parquet", "findings.json", "verdict.json"):
        shutil.copy(folder / "run" / name, run)
    report(run)
    for name in ("claims.json", "claims.csv", "rows.csv", "published.csv", "report.html"):
        assert (run / name).read_bytes() == (folder / "run" / name).read_bytes()


@cache
def relevance() -> Reproduced:
    """Two cells on few digits: two seeds, two folds and one epoch, made once."""
    folder = Path(tempfile.mkdtemp(prefix="holdfast-relevance-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    overrides = Overrides(
        data=["digits-maj:limit=300,folds=2", "digits:limit=60,steps=2"],
        models=("shallow", "deep"),
        seeds=2,
        folds=2,
        epochs=1,
        instances=6,
    )
    with here():
        return reproduce_study(study_of("relevance").plan(overrides), folder / "run")


def test_the_study_of_relevance_from_end_to_end() -> None:
    answer = relevance()
    found = read_findings(answer.run)
    own = {row.quantity for row in found.rows}
    assert {"cosine", "share", "weights", "accuracy_held", "deletion", "tukey", "hold"} <= own
    assert len({(row.family, row.what, row.part) for row in found.rows}) == len(found.rows)
    assert {(row.data, row.model) for row in found.rows if row.quantity == "weights"} == {
        ("digits-maj:limit=300", "shallow"), ("digits-maj:limit=300", "deep"),
        ("digits:steps=2,limit=60", "shallow"), ("digits:steps=2,limit=60", "deep"),
    }  # fmt: skip
    html = (answer.run / "report.html").read_text()
    assert found.pictures
    assert "data:image/png" in html
    assert len(html) < 1_000_000
    assert list((answer.run / "figures").glob("*.svg"))
    json.dumps(answer.to_json(), allow_nan=False)
    assert len(answer.lines) == sum(not claim.detail for claim in answer.claims)


def test_folds_are_for_the_majority_task_alone() -> None:
    answer = relevance()
    files = {path.name.partition("-")[0]: [] for path in answer.run.glob("families/*")}
    for path in answer.run.glob("families/*/answers/*.safetensors"):
        files[path.parents[1].name.partition("-")[0]].append(path.name)
    assert {number: len(names) for number, names in files.items()} == {"0": 8, "1": 4}
    holds = [row for row in read_findings(answer.run).rows if row.quantity == "accuracy" and row.by == "all"]
    assert {row.n for row in holds} == {2}, "an audit's rows are of seeds"


def test_the_report_of_a_study_without_the_images_of_the_data(tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(relevance().run, run)
    before = contents(run)
    assert report(run, text=False) == run / "report-no-text.html"
    assert "<img" not in (run / "report-no-text.html").read_text("utf-8")
    after = contents(run)
    assert {name for name in after if after[name] != before.get(name)} == {"report-no-text.html"}


def test_claims_that_follow_from_results_are_made_again(tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(relevance().run, run)
    before = contents(run)
    older = json.dumps([{"claim": "of an older version", "verdict": "came out"}]).encode()
    Store(run).keep("claims.json", older)
    report(run)
    assert contents(run) == before
