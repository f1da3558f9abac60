"""An explainer that does not suit is refused before anything is trained."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from holdfast.commands.audit import carry_out
from holdfast.core.catalogue import catalogue, make
from holdfast.core.errors import BadSetting
from holdfast.data.base import Dataset
from holdfast.data.source import Source, load
from holdfast.explain.rollout import Rollout
from holdfast.study.digests import with_digests
from holdfast.study.plan import Plan
from holdfast.study.preflight import _parameters, preflight
from holdfast.study.run import run_study
from holdfast.study.store import locked_run
from tests.models.text.checkpoints import tuned, write_checkpoint
from tests.study.items import DATA, finished
from tests.study.tiny import here

REFUSED = r"^gru4rec:dim=8 cannot be explained this way: rollout: expected a model with attention"


def plan(model: str, *explainers: str) -> Plan:
    return Plan(data=(Source(DATA),), models=(model,), explainers=explainers)


def test_what_does_not_suit_is_refused(plays: Dataset) -> None:
    with pytest.raises(BadSetting, match=REFUSED):
        preflight(plan("gru4rec:dim=8", "rollout", "gradient"), [plays])
    preflight(plan("gru4rec:dim=8", "gradient", "rollout"), [plays])
    preflight(plan("sasrec:dim=8", "rollout"), [plays])
    preflight(plan("gru4rec:dim=8", "random"), [plays])


def test_a_repair_that_does_not_suit_is_refused(plays: Dataset) -> None:
    asked = replace(plan("sasrec:dim=8", "random"), repairs=("none", "class_balanced+aswa"))
    with pytest.raises(BadSetting, match=r"^class_balanced: expected classes with known counts, but these"):
        preflight(asked, [plays])
    preflight(replace(asked, repairs=("temperature",)), [plays])


@pytest.mark.parametrize("model", ["sasrec:dim=65536,blocks=1000", "gru4rec:dim=65536"])
def test_models_that_no_memory_holds_are_refused(
    plays: Dataset, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    monkeypatch.setattr(os, "sysconf", lambda name: 2**15)  # a machine of 1 GiB
    sentence = (
        rf"^{model}: training a member of [0-9,]+ parameters takes [0-9,]+ GiB, but this machine has 1 GiB"
    )
    with pytest.raises(BadSetting, match=sentence):
        preflight(plan(model, "gradient"), [plays])


WRITTEN = {
    "bert": lambda folder: f"bert:path={write_checkpoint(folder)},trains=all",
    "hf": lambda folder: f"hf:path={write_checkpoint(folder)},trains=all",
    "checkpoints": lambda folder: f"checkpoints:folders={tuned(folder, labels=('negative', 'positive'))}",
}


@pytest.mark.parametrize("name", catalogue("models"))
def test_the_size_of_every_model_is_known_before_it_is_built(name: str, tmp_path: Path) -> None:
    kind = catalogue("models")[name].reads[0]  # type: ignore[attr-defined]
    sets = {"text": "planted:train=20", "image": "digits", "interaction": DATA, "features": "breast-cancer"}
    task = load(Source(sets[kind])).task
    tasks = [task] if kind != "text" else [task, replace(task, vectors=torch.ones(task.vocabulary, 7))]
    for one in tasks:
        written = WRITTEN.get(name, lambda folder: name)(tmp_path)
        built = make("models", written).build(one)
        assert _parameters(written, one) == sum(parameter.numel() for parameter in built.parameters())


def test_what_breaks_is_left_to_be_recorded(plays: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*arguments: object) -> None:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(Rollout, "scores", breaks)
    preflight(plan("sasrec:dim=8", "rollout"), [plays])


def test_nothing_is_trained_then(tmp_path: Path) -> None:
    """Else the verdict would be left to another explainer, or to the random one."""
    source = (Source(DATA),)
    own = with_digests(Plan(source, ("gru4rec:dim=8",), seeds=2, explainers=("rollout", "random")), None)
    with (
        here(),
        locked_run(tmp_path / "run", own, fresh=False) as store,
        pytest.raises(BadSetting, match=REFUSED),
    ):
        run_study(own, store)
    assert not list((tmp_path / "run").rglob("seed-*"))


def test_every_model_and_data_set_is_asked_whether_a_repair_suits(tmp_path: Path) -> None:
    checkpoint = f"bert:path={write_checkpoint(tmp_path)}"
    text = load(Source("planted:train=20"))
    for models in ((checkpoint,), ("cnn", checkpoint)):
        asked = replace(plan(models[0], "random"), data=(Source("planted"),), models=models)
        preflight(asked, [text])
        with pytest.raises(BadSetting, match=r"^word_iat: expected word vectors that train, but this model"):
            preflight(replace(asked, repairs=("none", "word_iat")), [text])


@pytest.mark.parametrize("comparison", ["topk_overlap:k=40", "jaccard:k=900"])
def test_a_top_k_of_everything_is_refused(comparison: str) -> None:
    text = load(Source("planted:train=20"))
    longest = int(text.splits["test"].lengths.max())
    asked = replace(plan("cnn", "random"), data=(Source("planted"),), instances=None)
    name, _, k = comparison.partition(":k=")
    with pytest.raises(BadSetting) as error:
        preflight(replace(asked, comparisons=(comparison,)), [text])
    assert str(error.value) == (
        f"{name}: expected k below {longest}, the positions of the longest example, but got {k}: every "
        "position would be in the top k, so choose a smaller k"
    )
    preflight(replace(asked, comparisons=(f"{name}:k={longest - 1}",)), [text])
    preflight(replace(asked, comparisons=(comparison,), study="rollout"), [text])


PERTURBED = r"^neighbours: expected word vectors, but 'planted' has none"


@pytest.mark.parametrize(
    ("another", "refused"),
    [
        (plan("gru4rec:dim=8", "rollout", "random"), REFUSED),
        (Plan((Source("planted"),), explainers=("random",), perturbations=("neighbours",)), PERTURBED),
    ],
)
def test_an_older_run_is_not_removed_then(tmp_path: Path, another: Plan, refused: str) -> None:
    run = Path(shutil.copytree(finished(), tmp_path / "run"))
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    with here(), pytest.raises(BadSetting, match=refused):
        carry_out(another, run, fresh=True)
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before
