import shlex
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast.cli import app
from holdfast.commands import reproduce
from holdfast.core.catalogue import make
from holdfast.data.source import Source
from holdfast.studies.relevance import plan as relevance_plan
from holdfast.studies.seed_stability import plan as seed_stability
from holdfast.study.command import audit_command, is_planted
from holdfast.study.modality import modality
from holdfast.study.overrides import Overrides
from holdfast.study.plan import EXPLAINERS, Plan, defaults_for
from holdfast.train.fit import Fit


def command_of(plan: Plan) -> str:
    return audit_command(plan) if plan.study == "audit" else reproduce.command_of(plan)


class Heard(Exception):
    """The plan that a command would carry out."""


@pytest.fixture(autouse=True)
def _stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(plan: Plan, *rest: Any) -> None:
        raise Heard(plan)

    monkeypatch.setattr("holdfast.commands.audit.carry_out", stop)
    monkeypatch.setattr("holdfast.commands.reproduce.reproduce_study", stop)
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    # pre-trained vectors are there, so that `auto` would take them
    monkeypatch.setattr("holdfast.commands.plan.locate", lambda name, data_dir: [Path(name)])


def planned(command: str) -> Plan:
    """The plan that the command line makes of a command."""
    name, *words = shlex.split(command)
    assert name == "holdfast"
    with pytest.raises(Heard) as heard:
        app(words, standalone_mode=False)
    plan: Plan = heard.value.args[0]
    return plan


def audit_of(data: str, model: str | None = None, **about: Any) -> Plan:
    """What an audit of images does unless it is told otherwise."""
    usual = modality("image").defaults
    own = {name: about.pop(name) for name in ("steps", "limit") if name in about}
    plain = {"models": (model,) if model else usual.models, "explainers": usual.explainers}
    return Plan((Source(data, **own),), comparisons=usual.comparisons, **(plain | about))


AUDITS = [
    Plan(
        (Source("plays.csv", user="who", repeats="drop"),),
        models=("sasrec",),
        explainers=modality("interaction").defaults.explainers,
        comparisons=modality("interaction").defaults.comparisons,
        fit=modality("interaction").defaults.fit,
    ),
    Plan((Source(),)),
    Plan((Source("planted:train=120,validation=30,test=30"),), models=("cnn:filters=4,dim=8",), seeds=3),
    Plan((Source("my reviews.csv", "re'view", "$stars", "other text"),)),
    Plan((Source("planted.csv", vectors="glove-100d", max_length=9, min_count=2, max_words=7, limit=5),)),
    Plan((Source("sst2", vectors="my vectors.txt"),), repairs=("none", "naswa:per=tensor"), instances=None),
    Plan((Source(),), models=("cnn:kernels=1+3", "bilstm:attention=dot"), explainers=("random", "gradient")),
    Plan((Source(),), probes=("comprehensiveness", "deletion:steps=3,fill=hole")),
    Plan((Source(),), perturbations=("typos", "neighbours:count=2,among=3")),
    Plan((Source(),), fit=Fit(3, 8, 2, make("optimisers", "sgd:lr=0.05"), True), instances=500),
]


@pytest.mark.parametrize("plan", AUDITS, ids=range(len(AUDITS)))
def test_the_command_of_an_audit_makes_its_plan(plan: Plan) -> None:
    assert planned(command_of(plan)) == plan


def test_the_shortest_command() -> None:
    assert command_of(Plan((Source(),))) == "holdfast audit --device cpu"


def test_vectors_that_were_not_used_are_not_used_again() -> None:
    assert (
        command_of(Plan((Source("reviews.csv"),))) == "holdfast audit reviews.csv --vectors none --device cpu"
    )


@settings(
    suppress_health_check=[*settings.default.suppress_health_check, HealthCheck.function_scoped_fixture]
)
@given(
    source=st.builds(
        Source,
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


IMAGES = [
    audit_of("digits-maj"),
    audit_of("digits:steps=2", model="rlstm:stationary=true", seeds=3),
    audit_of("my images.npz", steps=4, limit=90, explainers=EXPLAINERS),
]


@pytest.mark.parametrize("plan", IMAGES, ids=range(len(IMAGES)))
def test_the_command_of_an_audit_of_images_makes_its_plan(plan: Plan) -> None:
    assert planned(command_of(plan)) == plan


ITEMS = [
    Source("my plays.csv", user="who", item="what", time="when", rating="stars"),
    Source("plays.parquet", filter="once"),
    Source("plays.csv", filter="core", length=9),
    Source("plays.csv", time="when"),
    Source("plays.txt"),
    Source("planted-plays"),
]


@pytest.mark.parametrize("source", ITEMS, ids=range(len(ITEMS)))
@pytest.mark.parametrize("model", ["sasrec", "gru4rec:dim=8"])
def test_the_command_of_an_audit_of_interactions_makes_its_plan(source: Source, model: str) -> None:
    own = defaults_for(source, (model,))
    plan = Plan((source,), own.models, explainers=own.explainers, comparisons=own.comparisons, fit=own.fit)
    assert planned(command_of(plan)) == plan


def test_a_recommender_need_not_be_told_what_a_table_is() -> None:
    plan = planned("holdfast audit plays.csv --model sasrec")
    assert command_of(plan) == "holdfast audit plays.csv --model sasrec --device cpu"


def test_what_is_usual_for_images_need_not_be_typed() -> None:
    assert command_of(audit_of("digits-maj")) == "holdfast audit digits-maj --device cpu"
    assert planned("holdfast audit").models == ("cnn",)
    assert planned("holdfast audit pictures.npz --steps 4").models == ("convrlstm",)


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
    sources = [Source(name, vectors=None if mixed and is_planted(name) else vectors) for name in data]
    plan = seed_stability.plan_of(sources, models, repairs, 4, Fit(epochs=9), instances, "cpu", quick)
    assert planned(command_of(plan)) == plan


def test_the_command_of_a_study_says_how_texts_are_cut() -> None:
    plan = seed_stability.plan(Overrides(data=["imdb"], max_length=180, optimiser="adagrad", seeds=3))
    assert "--max-length 180" in command_of(plan)
    assert planned(command_of(plan)) == plan


@pytest.mark.parametrize(
    "overrides",
    [
        Overrides(quick=True),
        Overrides(data=["mnist", "fashion-mnist"], seeds=3, epochs=16),
        Overrides(data=["digits"], models=["deep"], folds=0, instances=None),
        Overrides(data=["digits-maj:folds=3,steps=6"], folds=3, models=["gru", "lstm"], instances=7),
        Overrides(data=["digits-maj:folds=3", "digits:limit=60"], models=["deep"], folds=3, epochs=1),
        Overrides(
            data=["digits"], batch=32, patience=99, optimiser="adam", repairs=["none", "aswa"], seeds=10
        ),
    ],
)
def test_the_command_of_the_relevance_study_makes_its_plan(overrides: Overrides) -> None:
    plan = relevance_plan.plan(overrides)
    assert planned(command_of(plan)) == plan


def test_only_the_name_says_planted() -> None:
    assert is_planted("planted")
    assert is_planted("planted:train=9")
    assert not is_planted("planted.csv")
