"""Small files in the published forms, for the tests of named sets."""

import gzip
from pathlib import Path

from holdfast.data.base import Dataset
from holdfast.data.source import Source, load
from holdfast.testing.dataset import check_dataset

WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def put(root: Path, name: str, lines: list[str], pack: bool = False) -> None:
    path = root / (f"{name}.gz" if pack else name)
    path.parent.mkdir(parents=True, exist_ok=True)
    data = ("\n".join(lines) + "\n").encode()
    path.write_bytes(gzip.compress(data) if pack else data)


def texts(name: str, size: int = 10) -> list[str]:
    return [f"{name} {WORDS[i % 10]} {i}" for i in range(size)]


def loaded(name: str, root: Path) -> Dataset:
    data = load(Source(name), root)
    check_dataset(data, again=lambda: load(Source(name), root))
    return data


def sizes(data: Dataset) -> list[int]:
    return [len(data.splits[name]) for name in ("train", "validation", "test")]
