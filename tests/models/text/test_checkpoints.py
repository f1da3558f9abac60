"""Classifiers that were fine-tuned already, each a member."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from holdfast.core.errors import BadData, BadSetting
from holdfast.core.records import Member
from holdfast.models.adapters.head import places
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


@pytest.mark.parametrize(
    ("labels", "classes", "wanted"),
    [
        ({0: "Negative", 1: "POSITIVE"}, ("negative", "positive"), (0, 1)),
        ({0: "pos", 1: "neg"}, ("neg", "pos"), (1, 0)),
        ({0: "LABEL_0", 1: "LABEL_1"}, ("0", "1"), (0, 1)),
        ({0: "1", 1: "0"}, ("0", "1"), (1, 0)),
        ({0: "LABEL_0", 1: "LABEL_1"}, ("1", "5"), None),
        ({0: "a", 1: "b", 2: "c"}, ("a", "b"), None),
        ({0: "a", 1: "A"}, ("a", "A"), None),
    ],
)
def test_labels_are_classes(labels, classes, wanted):
    assert places(labels, classes) == wanted


def change(folder, **values):
    path = Path(folder) / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def spoilt(runs, tmp_path, spoil):
    folder = tmp_path / "copy"
    shutil.copytree(runs[1], folder)
    spoil(folder)
    return (runs[0], str(folder))


def longer(folder):
    shutil.rmtree(folder)
    tuned(folder, seed=2, more=("spare", "##spare"))


def other_pieces(folder):
    text = (folder / "vocab.txt").read_text()
    (folder / "vocab.txt").write_text(text.replace("film", "book"))


def larger(folder):
    shutil.rmtree(folder)
    tuned(folder, seed=2, num_hidden_layers=3)


def another_family(folder):
    shutil.rmtree(folder)
    tuned(folder, "electra", seed=2)


def without_head(folder):
    from safetensors.torch import load_file, save_file

    tensors = load_file(folder / "model.safetensors")
    kept = {name: tensor for name, tensor in tensors.items() if "classifier" not in name}
    save_file(kept, folder / "model.safetensors", {"format": "pt"})


ONE = "expected checkpoints of one model, fine-tuned with other seeds"
REFUSED = {
    "vocabulary": (longer, "{two} has 62 word pieces, but {one} has 60: " + ONE),
    "pieces": (other_pieces, "{two} has word pieces of its own, but {one} has others: " + ONE),
    "layers": (larger, "{two} has 3 layers, but {one} has 2: " + ONE),
    "family": (another_family, "{two} is of the family electra, but {one} of bert: " + ONE),
    "labels": (
        lambda folder: change(folder, id2label={"0": "bad", "1": "good"}),
        "{two} knows the labels bad and good, but {one} knows no and yes: " + ONE,
    ),
    "no head": (
        without_head,
        "{two} has no classifier: expected classifier.bias in model.safetensors, so fine-tune it first, for "
        "example with --model hf:{two}",
    ),
    "many labels at once": (
        lambda folder: change(folder, problem_type="multi_label_classification"),
        "{two} gives a multi_label_classification: expected a classifier that chooses one of two labels or "
        "more",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_checkpoints_that_do_not_belong_together_are_refused(runs, tmp_path, name):
    spoil, said = REFUSED[name]
    both = spoilt(runs, tmp_path, spoil)
    with pytest.raises(BadData) as caught:
        Checkpoints(both).pinned()
    assert str(caught.value) == "checkpoint " + said.format(one=both[0], two=both[1])


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
