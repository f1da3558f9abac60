"""``holdfast audit``: from options to a plan."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdfast.cli import audit as module
from holdfast.cli.commands import app
from holdfast.data.source import Source
from holdfast.study.plan import Plan
from holdfast.train.fit import Fit
from holdfast.train.optimise import Sgd


class Caught(Exception):
    pass


def plan_of(monkeypatch: pytest.MonkeyPatch, *words: str) -> Plan:
    """The plan that these words make."""
    made: list[Plan] = []

    def catch(plan: Plan, *rest: Any) -> None:
        made.append(plan)
        raise Caught

    monkeypatch.setattr("holdfast.commands.audit.carry_out", catch)
    answer = CliRunner().invoke(app, ["audit", *words, "--quiet", "--device", "cpu"])
    assert isinstance(answer.exception, Caught), answer.output
    return made[0]


def test_texts_are_trained_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(monkeypatch)
    assert (plan.models, plan.fit) == (("cnn",), Fit())
    words = (
        "--epochs",
        "7",
        "--batch",
        "16",
        "--patience",
        "2",
        "--optimiser",
        "sgd:lr=0.5",
        "--decay-embeddings",
    )
    assert plan_of(monkeypatch, *words).fit == Fit(7, 16, 2, Sgd(lr=0.5), True)


def test_interactions_have_a_model_and_a_batch_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(monkeypatch, "plays.csv", "--user", "who", "--item", "what", "--time", "when")
    (source,) = plan.data
    assert (source.user, source.item, source.time, source.vectors) == ("who", "what", "when", None)
    assert (plan.models, plan.fit.batch) == (("sasrec",), 128)
    assert plan.explainers[0] == "signed_attention"
    assert plan_of(monkeypatch, "planted-plays", "--model", "gru4rec").explainers[0] == "gradient"


def test_a_recommender_reads_a_table_as_interactions(monkeypatch: pytest.MonkeyPatch) -> None:
    # pre-trained vectors are there, so that texts would take them
    monkeypatch.setattr("holdfast.commands.plan.locate", lambda name, data_dir: [Path(name)])
    plan = plan_of(monkeypatch, "plays.csv", "--model", "gru4rec")
    assert plan.data == (Source("plays.csv", filter="once"),)
    assert (plan.explainers[0], plan.fit.batch) == ("gradient", 128)
    (texts,) = plan_of(monkeypatch, "plays.csv", "--model", "cnn").data
    assert (texts.filter, texts.vectors) == (None, "glove-100d")


def test_what_a_person_cannot_mean() -> None:
    assert Path(module.__file__).name == "audit.py"
    answer = CliRunner().invoke(app, ["audit", "--fail-under", "2"])
    assert "expected --fail-under between 0 and 1" in str(answer.exception)
