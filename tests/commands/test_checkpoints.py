"""Audits of classifiers of transformers: fine-tuned here, or before."""

import json

import pytest
from typer.testing import CliRunner

from holdfast.cli import app
from holdfast.commands.audit import audit
from holdfast.core.errors import BadData, BadSetting
from holdfast.study.explain import explain_text
from holdfast.study.findings_file import read_findings
from tests.models.text.checkpoints import tuned, write_checkpoint
from tests.study.tiny import contents, here

DATA, LABELS = "planted:train=40,validation=20,test=40", ("negative", "positive")
ASKED = {"explainers": "rollout", "instances": 8, "device": "cpu"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    home = tmp_path_factory.mktemp("tuned")
    return [str(tuned(home / f"run{seed}", seed=seed, labels=LABELS)) for seed in (1, 2, 3)]


@pytest.fixture(scope="module")
def alone(runs, tmp_path_factory):
    with here():
        return audit(DATA, checkpoints=runs[:1], out=tmp_path_factory.mktemp("alone") / "run", **ASKED)


def test_one_checkpoint_is_asked_what_can_be_asked_of_one(alone):
    row = alone.answer.rows[0]
    asked = {question.name: question for question in row.questions}
    assert list(asked) == ["learned", "says", "survives", "survives_change", "matters", "calibrated"]
    assert asked["survives"].answer == "not asked"
    assert asked["survives"].because == "one checkpoint says nothing of another: bring two more"
    for name in ("learned", "says", "survives_change"):
        assert asked[name].low is not None, name
    assert "holds" not in {one.verdict for one in alone.answer.rows}
    assert alone.answer.members.trained == 1


def test_its_report_says_that_it_is_one(alone):
    text = (alone.run / "report.html").read_text()
    assert "over the test examples of this one model; they say nothing of another seed" in text
    notes = read_findings(alone.run).notes
    assert any("was trained here: seed 0 is run1. Of a single one," in note for note in notes)


def test_the_same_again_and_a_new_text(alone, runs):
    before = contents(alone.run)
    with here():
        audit(DATA, checkpoints=",".join(runs[:1]), out=alone.run, **ASKED)
    assert contents(alone.run) == before, "the same question again is the same run"
    assert len(explain_text(alone.run, "films that nobody calls abcd").seeds) == 1


@pytest.mark.slow
def test_several_are_members_and_nothing_is_trained(runs, tmp_path):
    with here():
        several = audit(DATA, checkpoints=runs, out=tmp_path / "run", **ASKED)
    assert several.answer.members.trained == 3
    survives = several.answer.rows[0].question("survives")
    assert survives.answer != "not asked"
    assert "over 3 checkpoints" in survives.because
    assert "Nothing of checkpoints" in " ".join(read_findings(several.run).notes)


@pytest.mark.slow
def test_a_classifier_is_fine_tuned_with_its_own_defaults(tmp_path):
    folder = write_checkpoint(tmp_path / "tiny")
    with here():
        made = audit(DATA, f"hf:{folder}", train="last", seeds=2, epochs=1, out=tmp_path / "run", instances=4)
    plan = json.loads((made.run / "plan.json").read_text())
    assert plan["fit"]["optimiser"] == "adam:lr=0.0002"
    assert {row.explainer for row in made.answer.rows} == {
        "rollout", "gradient_input", "integrated_gradients", "leave_one_out",
    }  # fmt: skip
    assert ",trains=last," in plan["models"][0]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["--train", "all"], "--train says how much of a checkpoint is fine-tuned, but got no model: choose"),
        (
            ["--model", "cnn", "--train", "all"],
            "--train says how much of a checkpoint is fine-tuned, but got cnn",
        ),
        (
            ["--model", "hf:x", "--train", "some"],
            "hf: expected trains to be head or last or all, but got some",
        ),
        (
            ["--model", "cnn", "--checkpoints", "a"],
            "expected --model or --checkpoints, but got both: leave one",
        ),
        (["--checkpoints", "a+b"], "expected folders without + or = in their names, but got a+b: rename it"),
        (
            ["--checkpoints", "nowhere"],
            "checkpoint nowhere does not exist: expected the folder of a checkpoint",
        ),
        (
            ["--checkpoints", "{1},{2}", "--seeds", "3"],
            "expected --seeds to be at most 2, as many as there are",
        ),
        (
            ["--checkpoints", "{1},{2}", "--seeds", "1"],
            "expected --seeds to be 2 or more, but got 1: stability",
        ),
        (
            ["--checkpoints", "{1},{2}", "--repair", "aswa"],
            "aswa changes training, but these members come trained",
        ),
    ],
)
def test_bad_use_is_one_sentence_and_exit_code_2(runs, tmp_path, typed, said):
    words = [word.replace("{1}", runs[0]).replace("{2}", runs[1]) for word in typed]
    answer = CliRunner().invoke(app, ["audit", DATA, *words, "--out", str(tmp_path / "run")])
    assert isinstance(answer.exception, BadData | BadSetting)
    assert str(answer.exception).startswith(said)
    assert answer.exception.exit_code == 2
    assert not (tmp_path / "run").exists()


def test_labels_that_are_no_classes_are_refused_before_anything_else(tmp_path):
    folder = tuned(tmp_path / "tiny", labels=("bad", "good"))
    with pytest.raises(
        BadData, match="knows the labels bad and good, but the data have negative and positive"
    ):
        audit(DATA, checkpoints=[str(folder)], out=tmp_path / "run", **ASKED)
