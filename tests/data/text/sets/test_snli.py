import json
from pathlib import Path

import pytest

from holdfast.core.errors import BadData
from holdfast.data.source import Source, load
from tests.data.set_files import loaded, put, sizes, texts


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
    assert data.splits["train"].queries.words(0, data.vocabulary) == ["query", "0"]
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
        load(Source("snli"), tmp_path)
