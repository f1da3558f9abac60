"""The heads of fine-tuned checkpoints, and which of these belong together."""

import json
import shutil
from pathlib import Path

import pytest
import torch

from holdfast.core.errors import BadData
from holdfast.models.adapters.classifier import check_alike, classifier
from tests.models.text.checkpoints import KINDS, tuned


@pytest.mark.parametrize("kind", ["bert", *KINDS])
def test_head_and_labels_are_those_of_transformers(tmp_path, kind):
    from transformers import AutoModelForSequenceClassification

    folder = tuned(tmp_path / kind, kind, labels=("a", "b", "c"))
    twin = AutoModelForSequenceClassification.from_pretrained(folder).state_dict()
    own = classifier(folder)
    assert own.labels == {0: "a", 1: "b", 2: "c"}
    theirs = [tensor for name, tensor in twin.items() if "classifier" in name or "bert.pooler" in name]
    assert all(any(torch.equal(one, other) for other in theirs) for one in own.head.values())
    assert len(theirs) == len(own.head) == 4


def change(folder, **values):
    path = Path(folder) / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


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


def both(one, two):
    check_alike(one, two)
    classifier(two)


@pytest.mark.parametrize("name", REFUSED)
def test_checkpoints_that_do_not_belong_together_are_refused(tmp_path, name):
    (one, two), (spoil, said) = (tuned(tmp_path / f"run{seed}", seed=seed) for seed in (1, 2)), REFUSED[name]
    spoil(two)
    with pytest.raises(BadData) as caught:
        both(one, two)
    assert str(caught.value) == "checkpoint " + said.format(one=one, two=two)
