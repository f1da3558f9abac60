from pathlib import Path

import pytest
import torch

from holdfast.data.source import Source, digest, load
from tests.data.set_files import loaded, sizes


@pytest.mark.parametrize("steps", [1, 2, 4])
def test_digits(tmp_path: Path, steps: int) -> None:
    data = loaded(f"digits:steps={steps}", tmp_path)
    assert (data.task.strip, sizes(data)) == ((steps, 8, 8 // steps), [1000, 197, 600])
    assert data.name == ("digits" if steps == 4 else f"digits:steps={steps}")
    for split in data.splits.values():
        share = split.targets.bincount() / len(split)
        assert bool(((share - 0.1).abs() < 0.01).all()), "some class is not in proportion"
        assert float(split.batch(torch.arange(len(split))).inputs.max()) == 1.0


def test_digits_maj(tmp_path: Path) -> None:
    data = loaded("digits-maj", tmp_path)
    assert (data.task.strip, sizes(data), data.blocks) == ((12, 8, 2), [1000, 197, 600], 3)


@pytest.mark.parametrize("name", ["digits", "digits-maj"])
def test_folds(tmp_path: Path, name: str) -> None:
    data = loaded(f"{name}:folds=7", tmp_path)
    assert (sizes(data), data.folds) == ([1400, 197, 200], 7)
    assert data.notes[-1] == (
        "1,400 images, of the published training and test parts, are dealt out to 7 folds; "
        "all members are tested on the same 200 test images, which are in no fold."
    )


def test_digests_tell_settings_apart() -> None:
    names = ("digits", "digits-maj", "digits:steps=2", "digits:folds=7", "digits:seed=1", "digits:limit=100")
    assert len({digest(Source(name)) for name in names}) == len(names)


def test_the_limit_of_a_source_is_the_limit_of_the_set() -> None:
    data = load(Source("digits", limit=100))
    assert len(data.splits["train"]) == 100
    assert data.notes[-1] == "Only 100 of 1,000 training images are used (--limit)."
