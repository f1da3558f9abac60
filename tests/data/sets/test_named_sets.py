"""Every named set, read from small files in its published form."""

import gzip
import json
from pathlib import Path

import pytest

from holdfast.core.errors import BadData
from holdfast.data.sets import named_sets
from holdfast.data.sources import TextSource, load
from holdfast.data.text import TextDataset
from holdfast.testing.dataset import check_dataset

WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def put(root: Path, name: str, lines: list[str], pack: bool = False) -> None:
    path = root / (f"{name}.gz" if pack else name)
    path.parent.mkdir(parents=True, exist_ok=True)
    data = ("\n".join(lines) + "\n").encode()
    path.write_bytes(gzip.compress(data) if pack else data)


def texts(name: str, size: int = 10) -> list[str]:
    return [f"{name} {WORDS[i % 10]} {i}" for i in range(size)]


def loaded(name: str, root: Path) -> TextDataset:
    data = load(TextSource(name), root)
    check_dataset(data, again=lambda: load(TextSource(name), root))
    return data


def sizes(data: TextDataset) -> list[int]:
    return [len(data.splits[name]) for name in ("train", "validation", "test")]


def test_sst2(tmp_path: Path) -> None:
    for name in ("train", "dev", "test"):
        put(tmp_path, f"sst2/{name}.tsv", [f"{t}\t{i % 2}" for i, t in enumerate(texts(name))], name == "dev")
    data = loaded("sst2", tmp_path)
    assert sizes(data) == [10, 10, 10]
    assert data.tokens("test", 3) == ["test", "four", "3"]
    assert data.splits["test"].targets.tolist() == [0, 1] * 5


def test_imdb(tmp_path: Path) -> None:
    for name in ("train", "test"):
        put(
            tmp_path,
            f"imdb/{name}.tsv",
            [f"{i % 2}\t7\t{i}\t{t}<br />“end" for i, t in enumerate(texts(name, 20))],
        )
    data = loaded("imdb", tmp_path)
    assert sizes(data) == [18, 2, 20]
    assert data.tokens("test", 0) == ["test", "one", "0", "“", "end"]
    assert data.notes[0] == (
        "IMDB publishes no validation texts: a seeded, stratified 10 % of the training texts is used."
    )


def test_rotten_tomatoes_in_either_encoding(tmp_path: Path) -> None:
    put(tmp_path, "rotten-tomatoes/rt-polarity.neg", texts("bad", 20))
    put(tmp_path, "rotten-tomatoes/rt-polarity.pos", texts("fiancée", 20))
    first = loaded("rotten-tomatoes", tmp_path)
    assert sizes(first) == [32, 4, 4]
    path = tmp_path / "rotten-tomatoes" / "rt-polarity.pos"
    path.write_bytes(path.read_text().encode("cp1252"))
    assert loaded("rotten-tomatoes", tmp_path).vocabulary == first.vocabulary
    assert (
        "Rotten Tomatoes publishes no splits: a seeded, stratified split of 80/10/10 % is used."
        in first.notes
    )


@pytest.mark.parametrize("task", ["emotion", "hate"])
def test_tweeteval(tmp_path: Path, task: str) -> None:
    classes = len(named_sets()[f"tweeteval/{task}"]().classes)
    for name in ("train", "val", "test"):
        put(tmp_path, f"tweeteval/{task}/{name}_text.txt", [f"{t} \u2028!" for t in texts(name)])
        put(tmp_path, f"tweeteval/{task}/{name}_labels.txt", [str(i % classes) for i in range(10)])
    data = loaded(f"tweeteval/{task}", tmp_path)
    assert (sizes(data), len(data.task.classes)) == ([10, 10, 10], classes)
    put(tmp_path, f"tweeteval/{task}/val_labels.txt", ["0"])
    folder = tmp_path / "tweeteval" / task
    with pytest.raises(BadData) as caught:
        load(TextSource(f"tweeteval/{task}"), tmp_path)
    assert str(caught.value) == (
        f"{folder / 'val_labels.txt'}: expected 10 labels, "
        f"one for each line of {folder / 'val_text.txt'}, but got 1"
    )


def test_ag_news(tmp_path: Path) -> None:
    for name, size in (("train", 80), ("test", 8)):
        rows = [f'"{i % 4 + 1}","{t}","says ""{i}"", twice"' for i, t in enumerate(texts(name, size))]
        put(tmp_path, f"ag_news/{name}.csv", rows)
    data = loaded("ag_news", tmp_path)
    assert sizes(data) == [72, 8, 8]
    assert data.task.classes == ("World", "Sports", "Business", "Sci/Tech")
    assert data.tokens("test", 0) == ["test", "one", "0", "says", '"', "0", '"', ",", "twice"]
    two = loaded("ag_news/world-business", tmp_path)
    assert sizes(two) == [36, 4, 4]
    assert two.task.classes == ("World", "Business")
    assert [two.tokens("test", row)[2] for row in range(4)] == ["0", "2", "4", "6"]
    assert two.splits["test"].targets.tolist() == [0, 1, 0, 1]


def snli(root: Path, name: str) -> None:
    labels = ["entailment", "neutral", "contradiction"]
    rows = [f"{labels[i % 3]}\t{t}\tquery {i}" for i, t in enumerate(texts(name))]
    put(root, f"snli/snli_{name}.tsv", ["label\tpremise\thypothesis", *rows])


def test_snli_with_a_subset(tmp_path: Path) -> None:
    snli(tmp_path, "dev")
    snli(tmp_path, "test")
    rows = [f'{i % 3 + 1}\t{i % 3 + 1}\t"{t} ""so"""\tquery {i}' for i, t in enumerate(texts("subset"))]
    put(tmp_path, "snli/cat_subset_train.csv", rows)
    data = loaded("snli", tmp_path)
    assert data.task.pair
    assert data.splits["train"].targets.tolist()[:3] == [1, 2, 0]
    assert data.tokens("train", 0) == ["subset", "one", "0", '"', "so", '"']
    assert data.query_tokens("train", 0) == ["query", "0"]
    assert data.notes == (
        "The training texts are a subset of 10 pairs, presumably of SNLI's 550,152: "
        "the full training file is not there.",
    )
    snli(tmp_path, "train")
    assert loaded("snli", tmp_path).notes == ()


def test_snli_as_it_is_published(tmp_path: Path) -> None:
    labels = ["entailment", "neutral", "contradiction", "-"]
    for name in ("train", "dev", "test"):
        pairs = [
            {"gold_label": labels[i % 4], "sentence1": t, "sentence2": "why", "captionID": "x"}
            for i, t in enumerate(texts(name))
        ]
        put(tmp_path, f"snli/snli_1.0_{name}.jsonl", [json.dumps(pair) for pair in pairs])
    assert sizes(loaded("snli", tmp_path)) == [8, 8, 8]
    put(tmp_path, "snli/snli_1.0_dev.jsonl", ["{}"])
    with pytest.raises(BadData, match="expected lines with gold_label, sentence1 and sentence2"):
        load(TextSource("snli"), tmp_path)


def test_strange_labels_and_fields(tmp_path: Path) -> None:
    for name in ("train", "dev", "test"):
        put(tmp_path, f"sst2/{name}.tsv", ["fine\t1", "bad\t0", "odd\t2"])
    with pytest.raises(BadData, match=r"train\.tsv: expected the label 0 or 1 in line 3, but got '2'$"):
        load(TextSource("sst2"), tmp_path)
    put(tmp_path, "sst2/train.tsv", ["fine\t1", "bad"])
    with pytest.raises(BadData, match=r"train\.tsv: expected 2 fields in line 2, but got 1$"):
        load(TextSource("sst2"), tmp_path)


@pytest.mark.parametrize("name", named_sets())
def test_every_set_says_what_it_is(name: str) -> None:
    known = named_sets()[name]
    assert known.about
    assert known.files == {} or known.home
