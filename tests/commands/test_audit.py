import json
import re
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from typer.testing import CliRunner

import holdfast
from holdfast.cli import app
from holdfast.commands.audit import RUNS, Audited, audit, carry_out
from holdfast.core.errors import BadData, BadRun
from holdfast.data.source import Source
from holdfast.study.command import SAME
from holdfast.study.digests import with_digests
from holdfast.study.explain import explain_text
from holdfast.study.modality import modality
from holdfast.study.plan import Plan
from holdfast.train.fit import Fit
from tests.models.text.checkpoints import write_checkpoint
from tests.study.answers import answer
from tests.study.tiny import DATA, MODEL, contents, copied, finished, here, plan

ANSWER = answer(headline="It <b>holds</b>.", do="Nothing & no more.")


def test_the_answer_of_a_finished_run(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    audited = audit(DATA, MODEL, seeds=3, fit=Fit(epochs=2), instances=20, out=str(run))
    assert audited.run == run
    told = audited.to_json()
    assert set(told) - set(audited.answer.to_json()) == {"run", "seconds"}
    written = json.loads((run / "verdict.json").read_text())
    assert {k: v for k, v in told.items() if k not in ("run", "seconds")} == written | {"do": told["do"]}
    assert str(audited) == f"{audited.answer.headline} {audited.answer.do}"


def test_what_to_do_names_the_folder_where_one_was_given_and_no_file_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = plan(explainers=("random",))
    with here():
        given = carry_out(asked, Path("my run")).answer.do
        plain = carry_out(asked)
    assert given == f"{plain.answer.do} --out 'my run'"
    assert plain.answer.do.startswith("Try other explainers: holdfast audit planted:")
    assert contents(tmp_path / "my run") == contents(plain.run)
    for name in ("verdict.json", "report.html"):
        text = (plain.run / name).read_text().replace("<code>--out</code>", "--out")
        assert SAME in text
        assert "my run" not in text


def test_it_is_the_packages_own_audit() -> None:
    assert holdfast.audit is audit


def test_seconds_are_not_part_of_the_answer() -> None:
    assert Audited(Path("x"), ANSWER, 1.0) == Audited(Path("x"), ANSWER, 2.0)


def test_without_out_a_run_is_named_for_its_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    own = with_digests(plan(), None)
    copied(tmp_path / RUNS / own.name)
    answer = carry_out(plan())
    assert answer.run == RUNS / own.name
    assert own.name.startswith("planted-train-120-validation-30-test-30-")


REVIEWS = {
    "review": [f"a {'good' if i % 2 else 'bad'} film, number {i}" for i in range(60)],
    "stars": ["high" if i % 2 else "low" for i in range(60)],
}


def test_a_table_in_memory_is_audited_and_answered_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def ask(data: object, **more: Any) -> Audited:
        return audit(
            data, MODEL, seeds=2, explainers="gradient", epochs=1, device="cpu", vectors=None, **more
        )

    with here():
        answer = ask(REVIEWS, text="review", label="stars")
    assert answer.run.name.startswith("table-cnn-dim-8-filters-4-")
    assert set(answer.answer.quality["f1"]["by_class"]) == {"high", "low"}
    before = contents(answer.run)
    again = ask(pa.table(REVIEWS), text="review", label="stars")
    assert (again.run, again.answer, contents(again.run)) == (answer.run, answer.answer, before)
    said = json.loads((answer.run / "findings.json").read_text())["command"]
    assert said.startswith("holdfast audit table.parquet --text review --label stars --vectors none --model")
    assert said.endswith(
        "  # the data came from Python (holdfast.audit): save that table under this name first"
    )
    other = REVIEWS | {"review": REVIEWS["review"][::-1]}
    with pytest.raises(BadRun, match=r"holds another plan \(digests"):
        ask(other, text="review", label="stars", out=answer.run)
    (answer.run / "verdict.json").unlink()
    moved = answer.run.rename(tmp_path / "moved")
    with here():
        mended = ask(REVIEWS, text="review", label="stars", out=moved)
    assert contents(mended.run) == before
    assert "bad" in explain_text(moved, "a bad film").tokens


def test_a_report_that_is_gone_is_drawn_again(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    (run / "report.html").unlink()
    with here():
        carry_out(plan(), run)
    assert contents(run) == contents(finished())


def test_the_report_says_how_to_repeat_it_and_nothing_that_varies() -> None:
    html = (finished() / "report.html").read_text()
    assert "holdfast audit planted:train=120,validation=30,test=30" in re.sub("</?span>", "", html)
    assert str(finished()) not in html


def test_starting_over_with_bad_data_loses_nothing(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    bad = tmp_path / "bad.csv"
    bad.write_text("text,label\nfine,1\ngood,1\n")
    before = contents(run)
    with pytest.raises(BadData, match="all 2 labels"):
        audit(str(bad), MODEL, out=run, fresh=True)
    assert contents(run) == before


def test_another_plan_is_refused(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    with pytest.raises(BadRun, match="folds: 0 there, 2 here"):
        carry_out(plan(folds=2), run)
    assert contents(run) == contents(finished())


@pytest.mark.parametrize(
    ("data", "model"), [("digits-maj", "convrlstm"), ("mine.npz", "convrlstm"), ("planted", "cnn")]
)
def test_model_and_explainers_are_those_that_suit_the_data(
    data: str, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Plan] = []
    monkeypatch.setattr("holdfast.commands.audit.carry_out", lambda plan, *_, **__: made.append(plan))
    audit(data)
    audit(Source(data), model, explainers="random", seeds=4)
    usual = modality("text" if data == "planted" else "image").defaults
    assert (made[0].models, made[0].explainers, made[0].comparisons) == (
        (model,), usual.explainers, usual.comparisons,
    )  # fmt: skip
    assert (made[1].models, made[1].explainers, made[1].seeds) == ((model,), ("random",), 4)


def test_a_checkpoint_is_audited_and_explains_words_that_nobody_saw(tmp_path: Path) -> None:
    folder = write_checkpoint(tmp_path / "tiny")
    asked = {"explainers": "rollout", "seeds": 2, "fit": Fit(epochs=1), "instances": 4}
    data, out = "planted:train=40,validation=20,test=20", str(tmp_path / "run")
    with here():
        audited = audit(data, f"bert:path={folder}", out=out, device="cpu", **asked)
        before = contents(audited.run)
        audit(data, f"bert:path={folder}", out=out, device="cpu", **asked)
    assert contents(audited.run) == before, "the same question again is the same run"
    assert sum(path.stat().st_size for path in audited.run.rglob("seed-*.safetensors")) < 60_000
    shown = explain_text(audited.run, "films that nobody calls quxy")
    assert not any(shown.unknown)
    other = explain_text(audited.run, "films that nobody calls abcd")
    assert shown.heats[0].consensus != other.heats[0].consensus
    shutil.rmtree(folder)
    with pytest.raises(BadData, match=r"tiny does not exist: expected the folder of a checkpoint, so put it"):
        explain_text(audited.run, "a film")


def test_a_bad_checkpoint_is_one_sentence_and_exit_code_2(tmp_path: Path) -> None:
    folder = write_checkpoint(tmp_path / "tiny")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    words = ["audit", "planted:train=40", "--model", f"bert:path={folder}", "--out", str(tmp_path / "run")]
    answer = CliRunner().invoke(app, words)
    assert isinstance(answer.exception, BadData)
    assert answer.exception.exit_code == 2
    assert not (tmp_path / "run").exists()
