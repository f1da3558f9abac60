"""Classifiers that were fine-tuned already, each a member."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from holdfast.core.errors import BadData, BadSetting
from holdfast.core.records import Member
from holdfast.models.run import Run
from holdfast.models.text.checkpoints import Checkpoints
from holdfast.models.text.hf import HuggingFace
from holdfast.testing.model import example
from holdfast.train.family import template
from tests.models.text.checkpoints import KINDS, THREE, TWO, tuned
from tests.models.text.test_hf import answers_of


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Three fine-tuned classifiers. Look, do not touch."""
    home = tmp_path_factory.mktemp("runs")
    return tuple(str(tuned(home / f"run{seed}", seed=seed)) for seed in (1, 2, 3))


@pytest.mark.parametrize("kind", ["bert", *KINDS])
def test_each_answers_as_transformers_does(tmp_path, kind):
    folders = tuple(str(tuned(tmp_path / f"run{seed}", kind, seed, ("YES", "No"))) for seed in (1, 2))
    own, batch = Checkpoints(folders), example(TWO)
    for seed, folder in enumerate(folders):
        run = Run(template(own, TWO).to_empty(device="cpu"), own.weights(TWO, Member(seed)))
        mine = run(batch.map(lambda t: t)).logits.log_softmax(-1)
        wanted = torch.stack([one.logits[0] for one in answers_of(Path(folder), batch, kind)])
        torch.testing.assert_close(mine, wanted.float().log_softmax(-1)[:, [1, 0]], atol=1e-5, rtol=1e-5)


def test_members_have_all_of_a_checkpoint(runs):
    own = Checkpoints(runs)
    names = set(template(own, TWO).tensors())
    weights = [own.weights(TWO, Member(seed)) for seed in range(3)]
    assert all(set(one) == names for one in weights)
    assert not any(
        torch.equal(weights[0][name], weights[1][name])
        for name in names
        if "weight" in name and "LayerNorm" not in name
    )


def test_untrained_networks_have_every_weight_drawn_anew(runs):
    from transformers import AutoConfig, AutoModelForSequenceClassification

    config = AutoConfig.from_pretrained(runs[0])
    with torch.random.fork_rng(devices=[]):
        twin = dict(AutoModelForSequenceClassification.from_config(config).bert.named_parameters())
    fresh, again, own = (
        Checkpoints(runs).build(TWO),
        Checkpoints(runs).build(TWO),
        HuggingFace(runs[0], "all").build(TWO),
    )
    for name, tensor in fresh.encoder.state_dict().items():
        theirs = twin[name.replace("/", ".")].detach()
        assert not torch.equal(tensor, own.encoder[name]) or tensor.dim() == 1, name
        assert float(tensor.mean()) == pytest.approx(float(theirs.mean()), abs=0.2), name
        assert float(tensor.std()) == pytest.approx(float(theirs.std()), rel=0.3), name
        assert tensor.dim() == 1 or not torch.equal(tensor, again.encoder[name])


def test_beside_a_single_one_only_the_head_is_drawn_anew(runs):
    fresh, own = Checkpoints(runs[:1]).build(TWO), Checkpoints(runs[:1]).weights(TWO, Member(0))
    for name, tensor in fresh.tensors().items():
        kept = not name.startswith("head") or name.endswith("bias")
        assert torch.equal(tensor, own[name]) == kept, name


def test_a_plan_names_them_by_their_digests(runs):
    pinned = Checkpoints(runs).pinned()
    assert len({*pinned.sha256}) == 3
    assert pinned.pinned() == pinned
    assert pinned.files == ("run1", "run2", "run3")
    assert Checkpoints(("run", "run"), ("0123456789", "abcdefabcd")).files == ("run 01234567", "run abcdefab")


def spoilt(runs, tmp_path, spoil):
    folder = tmp_path / "copy"
    shutil.copytree(runs[1], folder)
    spoil(folder)
    return (runs[0], str(folder))


def test_the_same_twice_is_refused(runs, tmp_path):
    both = spoilt(runs, tmp_path, lambda folder: None)
    with pytest.raises(BadData) as caught:
        Checkpoints((*both, runs[1])).pinned()
    assert str(caught.value) == f"checkpoint {runs[1]} has the very files of {both[1]}: expected each once"


def test_other_classes_are_refused(runs):
    with pytest.raises(BadData) as caught:
        Checkpoints(runs).build(replace(TWO, classes=("1", "5")))
    assert str(caught.value) == (
        f"checkpoint {runs[0]} knows the labels no and yes, but the data have 1 and 5: rename them in the "
        "data, or in id2label of its config.json"
    )
    with pytest.raises(BadData, match="but the data have a, b and c"):
        Checkpoints(runs).build(THREE)


def test_no_folder_is_refused():
    with pytest.raises(BadSetting) as caught:
        Checkpoints().pinned()
    assert str(caught.value) == (
        "checkpoints: expected the folders of checkpoints: write --checkpoints RUN1,RUN2,RUN3"
    )
