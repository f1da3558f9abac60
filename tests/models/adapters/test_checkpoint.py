"""Folders with a trained encoder."""

import json
import shutil
import sys

import pytest
import torch

from holdfast.core.errors import BadData, BadSetting
from holdfast.models.adapters.checkpoint import digest, read
from tests.models.text.checkpoints import vocabulary


def change(folder, name="config.json", **values):
    path = folder / name
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def pickled(folder):
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def longer(folder):
    (folder / "vocab.txt").write_text("\n".join([*vocabulary(), "more"]))
    (folder / "tokenizer.json").unlink(missing_ok=True)


def without_layer(folder):
    from safetensors.torch import load_file, save_file

    tensors = load_file(folder / "model.safetensors")
    kept = {name: tensor for name, tensor in tensors.items() if "layer.1.output.dense" not in name}
    save_file(kept, folder / "model.safetensors", {"format": "pt"})


SPOILT = {
    "gone": (
        shutil.rmtree,
        "does not exist: expected the folder of a checkpoint, so put it back or name it",
    ),
    "no weights": (
        lambda folder: (folder / "model.safetensors").unlink(),
        "has no weights: expected model.safetensors, in one file",
    ),
    "pickled": (
        pickled,
        "has pickled weights only, and reading those can run code: expected model.safetensors, so convert "
        "them where you trust them, with save_pretrained(…, safe_serialization=True)",
    ),
    "another kind": (
        lambda folder: change(folder, model_type="gpt2"),
        "expected a model_type of bert or distilbert or electra or roberta in config.json, but got gpt2",
    ),
    "code": (
        lambda folder: change(folder, auto_map={"AutoModel": "mine.Mine"}),
        "brings code of its own (auto_map in config.json), which is never run: expected an architecture of "
        "transformers itself",
    ),
    "code of a tokenizer": (
        lambda folder: change(folder, "tokenizer_config.json", auto_map={}),
        "brings code of its own (auto_map in tokenizer_config.json), which is never run: expected an "
        "architecture of transformers itself",
    ),
    "no tokenizer": (
        lambda folder: (folder / "vocab.txt").unlink(),
        "has no tokenizer: expected tokenizer.json or vocab.txt",
    ),
    "no JSON": (
        lambda folder: (folder / "config.json").write_text("{"),
        "has a config.json that is not readable JSON: expected a checkpoint of transformers",
    ),
    "another tokenizer": (
        longer,
        "has a tokenizer that does not match: expected one of 60 pieces, as config.json says, but got 61, so "
        "copy the tokenizer that the weights were trained with",
    ),
    "weights lack": (
        without_layer,
        "lacks weights: expected all that config.json tells of, but encoder.layer.1.output.dense.bias is not "
        "there",
    ),
}


@pytest.mark.parametrize("name", SPOILT)
def test_refusals(checkpoint, tmp_path, name):
    folder = tmp_path / "copy"
    shutil.copytree(checkpoint, folder)
    spoil, said = SPOILT[name]
    spoil(folder)
    with pytest.raises(BadData) as caught:
        read(folder)
    assert str(caught.value) == f"checkpoint {folder} {said}"


def test_garbage_is_refused(checkpoint, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(checkpoint, folder)
    (folder / "model.safetensors").write_bytes(b"\x00" * 100)
    with pytest.raises(BadData, match=r"copy cannot be read as a checkpoint \(.+\)$"):
        read(folder)


def test_another_checkpoint_than_expected(checkpoint, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(checkpoint, folder)
    before = digest(folder)
    assert before == digest(checkpoint)
    assert read(folder, before).encoder.config.hidden_size == 16
    change(folder, note="another")
    after = digest(folder)
    with pytest.raises(BadData) as caught:
        read(folder, before)
    assert str(caught.value) == (
        f"checkpoint {folder} is not the checkpoint that was asked for: expected SHA-256 {before}…, but got "
        f"{after}…, so put back the files as they were, or start over without sha256"
    )


def test_without_transformers(checkpoint, tmp_path, monkeypatch):
    folder = tmp_path / "copy"
    shutil.copytree(checkpoint, folder)
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(
        BadSetting, match=r"^a checkpoint needs the package transformers: pip install 'holdfast\[hf\]'$"
    ):
        read(folder)


def test_reading_draws_nothing_and_gives_an_encoder_that_stays(checkpoint, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(checkpoint, folder)
    before = torch.random.get_rng_state()
    encoder = read(folder).encoder
    assert torch.equal(torch.random.get_rng_state(), before)
    assert not encoder.training
    assert not any(tensor.requires_grad for tensor in encoder.parameters())
