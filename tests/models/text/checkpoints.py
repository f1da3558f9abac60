"""Tiny checkpoints, made up anew: two layers of width 16, and the letters as word pieces."""

import string
from pathlib import Path
from typing import Any

import torch

from holdfast.data.base import Task

MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PIECES = [
    *string.ascii_lowercase,
    *(f"##{one}" for one in string.ascii_lowercase),
    "good",
    "bad",
    "film",
    "##s",
]
KINDS = ("distilbert", "electra", "roberta")
WORDS = ("<pad>", "<unk>", "good", "bad", "film", "films", "cab", "x", "bade")
TWO = Task(len(WORDS), ("no", "yes"), words=WORDS)
THREE = Task(len(WORDS), ("a", "b", "c"), words=WORDS)
PAIR = Task(len(WORDS), ("no", "yes"), pair=True, words=WORDS)


def vocabulary() -> list[str]:
    """Pieces without a second of any."""
    return list(dict.fromkeys([*MARKS, *PIECES]))


def tuned(
    folder: Path,
    kind: str = "bert",
    seed: int = 0,
    labels: tuple[str, ...] = TWO.classes,
    more: tuple[str, ...] = (),
    **shape: int,
) -> Path:
    """A classifier that a test may spoil."""
    from transformers import AutoModelForSequenceClassification as Classifier

    return write_checkpoint(folder, kind, seed, Classifier, more, id2label=dict(enumerate(labels)), **shape)


def write_checkpoint(
    folder: Path,
    kind: str = "bert",
    seed: int = 0,
    cls: Any = None,
    more: tuple[str, ...] = (),
    **settings: Any,
) -> Path:
    """A checkpoint that a test may spoil, with ``more`` pieces than others."""
    from transformers import AutoConfig, AutoModel
    from transformers.utils import logging

    logging.disable_progress_bar()

    folder.mkdir(parents=True, exist_ok=True)
    pieces = byte_pieces() if kind == "roberta" else [*vocabulary(), *more]
    size = {"vocab_size": len(pieces), "max_position_embeddings": 256}
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    if kind == "distilbert":
        shape = {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 32}
    if kind == "electra":
        shape["embedding_size"] = 8
    if kind == "roberta":
        size["pad_token_id"] = pieces.index("<pad>")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        config = AutoConfig.for_model(kind, **(size | shape | {"initializer_range": 0.5} | settings))
        model = (cls or AutoModel).from_config(config)
    model.save_pretrained(folder)
    if kind == "roberta":
        _write_bytes(folder, pieces)
        return folder
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", "utf-8")
    (folder / "tokenizer_config.json").write_text(
        '{"tokenizer_class": "BertTokenizer", "do_lower_case": true}'
    )
    return folder


def byte_pieces() -> list[str]:
    """RoBERTa's way: a piece that begins a word has its space, written Ġ."""
    return ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *string.ascii_lowercase, "Ġ", "Ġg", "Ġf", "oo"]


def _write_bytes(folder: Path, pieces: list[str]) -> None:
    from tokenizers import Tokenizer, decoders, pre_tokenizers
    from tokenizers.models import BPE
    from transformers import PreTrainedTokenizerFast

    merges = [("Ġ", "g"), ("Ġ", "f"), ("o", "o")]
    bytewise = Tokenizer(BPE({one: n for n, one in enumerate(pieces)}, merges, unk_token="<unk>"))
    bytewise.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bytewise.decoder = decoders.ByteLevel()
    marks = {"cls": "<s>", "sep": "</s>", "pad": "<pad>", "unk": "<unk>", "mask": "<mask>"}
    named = {f"{name}_token": mark for name, mark in marks.items()}
    PreTrainedTokenizerFast(tokenizer_object=bytewise, **named).save_pretrained(folder)
