import shlex
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast.cli import app
from holdfast.core.catalogue import make
from holdfast.data.sources import TextSource
from holdfast.study import seed_stability
from holdfast.study.command import command_of, is_planted
from holdfast.study.plan import Plan
from holdfast.train.fit import Fit


class Heard(Exception):
    """The plan that a command would carry out."""


@pytest.fixture(autouse=True)
def _stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(plan: Plan, *rest: Any) -> None:
        raise Heard(plan)

    monkeypatch.setattr("holdfast.report.audit.carry_out", stop)
    monkeypatch.setattr("holdfast.report.reproduce.reproduce_study", stop)
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    # pre-trained vectors are there, so that `auto` would take them
    monkeypatch.setattr("holdfast.data.vectors.locate", lambda name, data_dir: [Path(name)])


def planned(command: str) -> Plan:
    """The plan that the command line makes of a command."""
    name, *words = shlex.split(command)
    assert name == "holdfast"
    with pytest.raises(Heard) as heard:
        app(words, standalone_mode=False)
    plan: Plan = heard.value.args[0]
    return plan


AUDITS = [
    Plan((TextSource(),)),
    Plan((TextSource("planted:train=120,validation=30,test=30"),), models=("cnn:filters=4,dim=8",), seeds=3),
    Plan((TextSource("my reviews.csv", "re'view", "$stars", "other text"),)),
    Plan((TextSource("planted.csv", vectors="glove-100d", max_length=9, min_count=2, max_words=7, limit=5),)),
    Plan(
        (TextSource("sst2", vectors="my vectors.txt"),), repairs=("none", "naswa:per=tensor"), instances=None
    ),
    Plan(
        (TextSource(),), models=("cnn:kernels=1+3", "bilstm:attention=dot"), explainers=("random", "gradient")
    ),
    Plan((TextSource(),), fit=Fit(3, 8, 2, make("optimisers", "sgd:lr=0.05"), True), instances=500),
]


@pytest.mark.parametrize("plan", AUDITS, ids=range(len(AUDITS)))
def test_the_command_of_an_audit_makes_its_plan(plan: Plan) -> None:
    assert planned(command_of(plan)) == plan


def test_the_shortest_command() -> None:
    assert command_of(Plan((TextSource(),))) == "holdfast audit --device cpu"


def test_vectors_that_were_not_used_are_not_used_again() -> None:
    assert (
        command_of(Plan((TextSource("reviews.csv"),)))
        == "holdfast audit reviews.csv --vectors none --device cpu"
    )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    source=st.builds(
        TextSource,
        data=st.sampled_from(["planted", "planted:seed=3", "a b.csv", "sst2"]),
        text=st.none() | st.sampled_from(["text", "the text", "it's"]),
        vectors=st.none() | st.just("glove-100d"),
        limit=st.none() | st.integers(2, 9),
        max_length=st.integers(1, 300),
    ),
    models=st.sampled_from([("cnn",), ("rnn", "average"), ("cnn:attention=dot,filters=4",)]),
    repairs=st.sampled_from([("none",), ("aswa", "none"), ("naswa:per=tensor",)]),
    seeds=st.integers(2, 20),
    fit=st.builds(Fit, epochs=st.integers(1, 30), batch=st.integers(1, 64), patience=st.integers(1, 5)),
    instances=st.none() | st.integers(1, 600),
)
def test_any_audit_can_be_typed_again(**about: Any) -> None:
    source = about.pop("source")
    plan = Plan((source,), **about)
    assert planned(command_of(plan)) == plan


STUDIES = [
    (["sst2"], ("cnn", "bilstm"), ("none", "aswa", "naswa"), None, False),
    (["planted", "sst2"], ("cnn",), ("none", "naswa:per=tensor"), 100, False),
    (["sst2"], ("cnn:attention=dot,dim=8",), ("none",), None, True),
]


@pytest.mark.parametrize(("data", "models", "repairs", "instances", "quick"), STUDIES)
@pytest.mark.parametrize("vectors", ["glove-100d", None])
def test_the_command_of_a_study_makes_its_plan(
    data: list[str], models: Any, repairs: Any, instances: int | None, quick: bool, vectors: str | None
) -> None:
    # `auto` gives planted texts none
    mixed = vectors is not None and len(data) > 1
    sources = [TextSource(name, vectors=None if mixed and is_planted(name) else vectors) for name in data]
    plan = seed_stability.plan_of(sources, models, repairs, 4, Fit(epochs=9), instances, "cpu", quick)
    assert planned(command_of(plan)) == plan


def test_only_the_name_says_planted() -> None:
    assert is_planted("planted")
    assert is_planted("planted:train=9")
    assert not is_planted("planted.csv")
