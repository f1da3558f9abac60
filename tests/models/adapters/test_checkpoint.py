"""Folders with a trained encoder."""

import json
import shutil
import sys
from pathlib import Path

import pytest
import torch

from holdfast.core import places
from holdfast.core.errors import BadData, BadSetting
from holdfast.models.adapters.checkpoint import digest, locate, read
from tests.models.text.checkpoints import vocabulary


def change(folder, name="config.json", **values):
    path = folder / name
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def pickled(folder):
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def longer(folder):
    (folder / "vocab.txt").write_text("\n".join([*vocabulary(), "more"]))
    (folder / "tokenizer.json").unlink(missing_ok=True)


def shorter(folder):
    (folder / "vocab.txt").write_text("\n".join(vocabulary()[:-5]))


def a_file(folder):
    shutil.rmtree(folder)
    folder.write_text("weights")


def fewer_rows(folder):
    from safetensors.torch import load_file, save_file

    tensors = load_file(folder / "model.safetensors")
    table = tensors["embeddings.word_embeddings.weight"][:-7].clone()
    save_file(
        tensors | {"embeddings.word_embeddings.weight": table}, folder / "model.safetensors", {"format": "pt"}
    )


def without_layer(folder):
    from safetensors.torch import load_file, save_file

    tensors = load_file(folder / "model.safetensors")
    kept = {name: tensor for name, tensor in tensors.items() if "layer.1.output.dense" not in name}
    save_file(kept, folder / "model.safetensors", {"format": "pt"})


SPOILT = {
    "gone": (
        shutil.rmtree,
        "does not exist: expected the folder of a checkpoint, so put it back, or say where it is with "
        "--model bert:path=FOLDER, --model hf:FOLDER or --checkpoints",
    ),
    "no weights": (
        lambda folder: (folder / "model.safetensors").unlink(),
        "has no weights: expected model.safetensors, in one file",
    ),
    "pickled": (
        pickled,
        "has pickled weights only, and reading those can run code: expected model.safetensors, so where you "
        'trust them convert them, with python -c "from transformers import AutoModel as M; '
        "M.from_pretrained('FOLDER').save_pretrained('FOLDER')\"",
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
    "a tokenizer of fewer pieces": (
        shorter,
        "has a tokenizer that does not match: expected one of 60 pieces, as config.json says, but got 55, so "
        "copy the tokenizer that the weights were trained with",
    ),
    "a file": (
        a_file,
        "is a file: expected the folder of a checkpoint, so put it back, or say where it is with "
        "--model bert:path=FOLDER, --model hf:FOLDER or --checkpoints",
    ),
    "weights of another size": (
        fewer_rows,
        "has weights of another size: expected embeddings.word_embeddings.weight to be 60 × 16, as "
        "config.json says, but got 53 × 16, so put back the files that belong together",
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
    assert str(caught.value) == f"checkpoint {folder} " + said.replace("'FOLDER'", f"'{folder}'")


def test_pickled_weights_are_converted_as_the_sentence_says(checkpoint, tmp_path):
    from transformers import AutoModel

    folder = tmp_path / "copy"
    shutil.copytree(checkpoint, folder)
    model = AutoModel.from_pretrained(folder)
    (folder / "model.safetensors").unlink()
    torch.save(model.state_dict(), folder / "pytorch_model.bin")
    with pytest.raises(BadData) as caught:
        read(folder)
    exec(str(caught.value).partition('python -c "')[2].removesuffix('"'))  # as a shell would
    assert torch.equal(
        read(folder).encoder.embeddings.word_embeddings.weight, model.embeddings.word_embeddings.weight
    )


def test_a_table_that_is_filled_up_to_a_round_number(checkpoint, tmp_path):
    from transformers import AutoModel

    folder = tmp_path / "copy"
    shutil.copytree(checkpoint, folder)
    model = AutoModel.from_pretrained(folder)
    model.resize_token_embeddings(64)
    model.save_pretrained(folder)
    assert read(folder).encoder.config.vocab_size == 64


def test_a_name_alone_is_looked_up(tmp_path, monkeypatch):
    here, data, told = (tmp_path / name for name in ("here", "data", "told"))
    monkeypatch.setattr(places, "_PLACES", {})
    monkeypatch.setenv("HOLDFAST_DATA", str(data))
    here.mkdir()
    monkeypatch.chdir(here)
    assert locate("tiny") == Path("tiny")
    (data / "tiny").mkdir(parents=True)
    assert locate("tiny") == data / "tiny"
    (here / "tiny").mkdir()
    assert locate("tiny") == Path("tiny")
    places.remember("12ab", told / "tiny")
    assert locate("tiny", "12ab") == told / "tiny"
    assert locate("tiny", "34cd") == Path("tiny")
    assert locate("../data/tiny", "12ab") == Path("../data/tiny"), "what is typed is meant"


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
