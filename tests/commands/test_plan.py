"""One question, one plan: whoever asks it."""

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from holdfast.cli import app
from holdfast.commands.audit import audit
from holdfast.commands.plan import AUDIT, Reading, build_plan, device_of, seeds_of, several, vectors_of
from holdfast.commands.reproduce import reproduce
from holdfast.core.errors import BadSetting, UnknownName
from holdfast.data.perturb.dropped import Dropped
from holdfast.data.source import Source
from holdfast.measure.probes.comprehensiveness import Comprehensiveness
from holdfast.models.text.cnn import Cnn
from holdfast.study.overrides import Overrides
from holdfast.study.plan import Plan
from holdfast.train.fit import Fit
from holdfast.train.optimise import Adam, Sgd

GLOVE = ("glove_6B_100d_subset_f16.npz", "words.txt.gz")


class Caught(Exception):
    """The plan that would be carried out."""


def caught(ask: Callable[[], object]) -> Plan:
    with pytest.raises(Caught) as end:
        ask()
    plan: Plan = end.value.args[0]
    return plan


def typed(*words: str) -> Plan:
    """The plan of a command."""
    return caught(lambda: app(words, standalone_mode=False))


@pytest.fixture(autouse=True)
def _stopped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def stop(plan: Plan, *rest: Any) -> None:
        raise Caught(plan)

    monkeypatch.setattr("holdfast.commands.audit.carry_out", stop)
    monkeypatch.setattr("holdfast.commands.reproduce.reproduce_study", stop)
    monkeypatch.delenv("HOLDFAST_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(params=[True, False], ids=["glove", "no glove"])
def data_dir(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder of data, with word vectors or without."""
    if request.param:
        (tmp_path / "glove-100d").mkdir()
        for name in GLOVE:
            (tmp_path / "glove-100d" / name).write_bytes(b"")
    return tmp_path


@pytest.fixture(params=[True, False], ids=["gpu", "no gpu"])
def gpu(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr("torch.cuda.is_available", lambda: request.param)
    return bool(request.param)


AUDITS: list[tuple[str, str | Path | Source, dict[str, Any]]] = [
    ("", "planted", {}),
    ("reviews.csv", "reviews.csv", {}),
    ("reviews.csv --text review --label stars", Source("reviews.csv", text="review", label="stars"), {}),
    ("reviews.csv --text review --limit 9 --strict", Path("reviews.csv"), {"text": "review", "limit": 9}),
    (
        "plays.csv --user who --repeats drop --epochs 3",
        "plays.csv",
        {"user": "who", "repeats": "drop", "epochs": 3},
    ),
    ("reviews.csv --vectors none", "reviews.csv", {"vectors": "none"}),
    ("reviews.csv --vectors mine.vec", Source("reviews.csv", vectors="mine.vec"), {}),
    (
        "sst2 --model cnn,bilstm:dim=8,attention=dot",
        "sst2",
        {"models": ["cnn", "bilstm:dim=8,attention=dot"]},
    ),
    (
        "sst2 --model rnn --repair none,aswa --seeds 4",
        "sst2",
        {"models": "rnn", "repairs": "none,aswa", "seeds": 4},
    ),
    (
        "reviews.csv --epochs 3 --optimiser sgd:lr=0.5",
        "reviews.csv",
        {"epochs": 3, "optimiser": "sgd:lr=0.5"},
    ),
    ("shapes.npz --steps 4", Source("shapes.npz", steps=4), {}),
    (
        "digits-maj --model deep --explainer lrp,random",
        "digits-maj",
        {"models": "deep", "explainers": "lrp,random"},
    ),
    (
        "planted --probe comprehensiveness,deletion:fill=hole,steps=3",
        "planted",
        {"probes": [Comprehensiveness(), "deletion:steps=3,fill=hole"]},
    ),
    (
        "planted --perturb typos,dropped:count=2",
        "planted",
        {"perturb": ["typos", Dropped(count=2)]},
    ),
    ("digits --instances all --batch 9", "digits", {"instances": None, "batch": 9}),
    ("plays.csv --user who --item what", Source("plays.csv", user="who", item="what"), {}),
    ("plays.csv --model gru4rec --epochs 2", "plays.csv", {"models": "gru4rec", "epochs": 2}),
    (
        "planted-plays --patience 2 --decay-embeddings",
        "planted-plays",
        {"patience": 2, "decay_embeddings": True},
    ),
]


@pytest.mark.parametrize(("words", "data", "options"), AUDITS, ids=[words for words, _, _ in AUDITS])
def test_an_audit_is_the_same_plan_typed_and_in_python(
    words: str, data: str | Path | Source, options: dict[str, Any], data_dir: Path, gpu: bool
) -> None:
    plan = typed("audit", *words.split(), "--data-dir", str(data_dir))
    assert caught(lambda: audit(data, data_dir=data_dir, **options)) == plan
    assert plan.device == ("cuda" if gpu else "cpu")


def test_everything_that_a_source_says_can_be_said_in_python() -> None:
    # whether every word has a number follows from the models
    said = {field.name for field in fields(Source)} - {"data", "frame", "vectors", "every_word", "whole"}
    assert set(Reading.__annotations__) == said
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        audit("reviews.csv", colour="red")  # type: ignore[call-arg]


STUDIES: list[tuple[str, dict[str, Any]]] = [
    ("seed-stability --quick", {"quick": True}),
    ("seed-stability --data sst2,planted --seeds 3", {"data": "sst2,planted", "seeds": 3}),
    ("relevance --quick --folds 3 --instances all", {"quick": True, "folds": 3, "instances": None}),
    ("rollout --data planted-plays --model sasrec", {"data": ["planted-plays"], "models": "sasrec"}),
]


@pytest.mark.parametrize(("words", "options"), STUDIES, ids=[words for words, _ in STUDIES])
def test_a_study_is_the_same_plan_typed_and_in_python(
    words: str, options: dict[str, Any], data_dir: Path
) -> None:
    plan = typed("reproduce", *words.split(), "--data-dir", str(data_dir), "--device", "cpu")
    study = words.split()[0]
    assert caught(lambda: reproduce(study, data_dir=data_dir, device="cpu", **options)) == plan


def test_a_fit_is_a_start_for_what_else_is_asked() -> None:
    fit = Fit(epochs=9, batch=5, optimiser=Adam(lr=0.5), decay_embeddings=True)
    plan = caught(lambda: audit("planted", fit=fit, device="cpu", epochs=2))
    assert plan.fit == Fit(epochs=2, batch=5, optimiser=Adam(lr=0.5), decay_embeddings=True)
    assert caught(lambda: audit("planted-plays", optimiser="sgd", device="cpu")).fit == Fit(
        batch=128, optimiser=Sgd()
    )


def test_an_unknown_study_offers_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'seed-stability'"):
        build_plan("seed-stabilty", Overrides())


def test_lists_are_written_or_given() -> None:
    assert several("cnn:dim=8,filters=4,rnn") == ("cnn:dim=8,filters=4", "rnn")
    assert several(["cnn", "rnn"]) == ("cnn", "rnn")
    assert (several(","), several(None)) == ((), None)


def test_vectors_are_found_or_not(data_dir: Path) -> None:
    found = "glove-100d" if (data_dir / "glove-100d").exists() else None
    texts = Source("sst2")
    assert vectors_of("none", texts, data_dir) is None
    assert vectors_of("mine.txt", texts, data_dir) == "mine.txt"
    assert vectors_of("auto", texts, data_dir) == found
    for source in (Source("planted:train=9"), Source("planted-plays"), Source("plays.csv", time="when")):
        assert vectors_of("auto", source, data_dir) is None


def test_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert (device_of("auto"), device_of("cpu")) == ("cpu", "cpu")
    assert device_of("cuda") == "cuda"  # a run that was trained elsewhere
    with pytest.raises(BadSetting, match=r"^expected --device to be auto, cpu or cuda, but got 'tpu'$"):
        device_of("tpu")
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    assert device_of("auto") == "cuda"


def test_as_many_seeds_as_there_are_files(monkeypatch):
    monkeypatch.setattr(Cnn, "files", property(lambda self: ("a", "b", "c")))
    assert seeds_of(None, ("cnn", "bilstm")) == 3
    assert seeds_of(2, ("cnn",)) == 2
    with pytest.raises(
        BadSetting, match=r"^expected --seeds to be at most 3, as many as there are checkpoints$"
    ):
        seeds_of(4, ("cnn",))
    plan = build_plan(AUDIT, Overrides(source=Source("reviews.csv", text="a"), models=("cnn",)), "none")
    assert (plan.seeds, plan.data[0].whole, plan.data[0].every_word) == (3, True, True)
