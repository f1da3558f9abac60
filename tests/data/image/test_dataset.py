"""Strips: cut, put together again, saved; folds never leak."""

from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.data.image.dataset import ImageDataset, ImageSplit
from holdfast.data.store import load_dataset
from tests.reference import strips_data as naive


def made(blocks=3, steps=6, height=3, width=4, top=16, rows=5, folds=0) -> ImageSplit:
    make = torch.Generator().manual_seed(0)
    images = torch.randint(0, top + 1, (rows, height, width), generator=make).to(torch.uint8)
    side = torch.stack([torch.randperm(rows, generator=make)[:blocks] for _ in range(rows)])
    majority = torch.arange(blocks)[None].expand(rows, -1) < blocks - 1 if blocks > 1 else None
    fold = torch.arange(rows) % folds if folds else None
    published = torch.arange(rows) > 1 if folds else None
    return ImageSplit(images, side, torch.arange(rows) % 2, steps, top, majority, fold, published)


def dataset(split: ImageSplit) -> ImageDataset:
    return ImageDataset.of(
        "tiny", ("a", "b"), {"train": split, "validation": split, "test": split}, ("note",)
    )


@given(
    blocks=st.sampled_from([1, 3]),
    steps=st.sampled_from([1, 2, 3, 6]),
    height=st.integers(1, 3),
    top=st.sampled_from([1, 16, 255]),
    rows=st.lists(st.integers(0, 4), min_size=1, max_size=4),
)
def test_against_loops(blocks, steps, height, top, rows):
    split, chosen = made(blocks, steps, height, 6, top), torch.tensor(rows)
    data = dataset(split)
    batch = split.batch(chosen)
    for b, row in enumerate(rows):
        torch.testing.assert_close(batch.inputs[b].double(), naive.strips(split, row), atol=1e-6, rtol=0)
        torch.testing.assert_close(split.ink(chosen)[b].double(), naive.ink(split, row), atol=1e-5, rtol=0)
    flat = torch.rand(2, len(split.scored(chosen)[0]), dtype=torch.double)
    for k in range(2):
        assert torch.equal(data.image(flat)[k], naive.picture(flat[k], split.strip))
        torch.testing.assert_close(data.time(flat)[k], naive.time(flat[k], split.strip))
        torch.testing.assert_close(data.block_sums(flat)[k], naive.blocks(flat[k], split.strip, blocks))
    truth = split.truth(chosen)
    if truth is None:
        assert blocks == 1
    else:
        marks = data.block_sums(truth) / (height * 6)
        assert marks.tolist() == split.majority[chosen].float().tolist()


def test_a_longer_batch_has_holes_and_a_shorter_one_is_refused():
    split = made()
    batch = split.batch(torch.tensor([2]), 8)
    assert batch.mask.tolist() == [[True] * 6 + [False] * 2]
    assert not batch.inputs[:, 6:].any()
    assert split.truth(torch.tensor([2]), 8).shape == (1, 8 * 3 * 2)
    with pytest.raises(ValueError, match=r"^expected a length of at least 6, but got 5$"):
        split.batch(torch.tensor([2]), 5)


def test_steps_that_do_not_divide_the_width():
    with pytest.raises(BadSetting, match=r"^expected steps to divide the width of 12 pixels, but got 5$"):
        made(steps=5)


def test_folds():
    split = made(folds=2, rows=4, blocks=1, steps=2)
    assert split.trains(Member(0, 1)).tolist() == [0, 2]
    assert split.held(Member(0, 1)).tolist() == [1, 3]
    assert split.trains(Member(0)).tolist() == [2, 3]
    assert split.held(Member(0)).tolist() == [0, 1]
    with pytest.raises(BadSetting, match=r"^seed 0, fold 2: expected a fold from 0 to 1$"):
        split.trains(Member(0, 2))
    plain = made()
    assert plain.trains(Member(3)) is plain.held(Member(3)) is None
    for use in (plain.trains, plain.held):
        with pytest.raises(
            BadSetting, match=r"^seed 0, fold 1: expected data with folds, but these have none"
        ):
            use(Member(0, 1))


def test_round_trip(tmp_path: Path):
    data = dataset(made(folds=2))
    path = tmp_path / "data.safetensors"
    data.save(path)
    again = load_dataset(path)
    assert isinstance(again, ImageDataset)
    assert (again.folds, again.blocks, again.notes, again.task) == (2, 3, ("note",), data.task)
    assert again.splits["test"].top == 16
