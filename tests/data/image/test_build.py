"""Splits, folds and rows of three."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.data.image.build import Cut, Images, Pool, image_dataset, majority_rows
from holdfast.testing.dataset import check_dataset


def images(size: int, classes: int = 3, first: int = 0) -> Images:
    """Images that are all different: the number of each is written into it."""
    numbers = torch.arange(first, first + size)
    pixels = torch.stack([numbers // 256, numbers % 256, numbers % 7, numbers % 5], 1)
    return Images(pixels.to(torch.uint8).reshape(size, 2, 2), numbers % classes)


def pool(train: int = 120, test: int = 60) -> Pool:
    return Pool("made", ("a", "b", "c"), images(train), images(test, first=train), ("a note",))


@pytest.mark.parametrize("blocks", [1, 3])
@pytest.mark.parametrize("folds", [0, 4])
@pytest.mark.parametrize("limit", [None, 104])
def test_promises(blocks, folds, limit):
    def make():
        return image_dataset("made", pool(), Cut(2, blocks, folds, 0, limit, validation=12, common=15))

    data = make()
    check_dataset(data, again=make)
    sizes = {name: len(split) for name, split in data.splits.items()}
    train = (limit or 108) if not folds else (limit or 153) // 4 * 4
    assert sizes == {"train": train, "validation": 12, "test": 15 if folds else 60}
    assert data.folds == folds
    assert data.notes[0] == "a note"
    assert len(data.notes) == 1 + bool(folds) + bool(limit)


def test_images_are_in_one_split_only():
    data = image_dataset("made", pool(), Cut(2, 3, 4, validation=12, common=15))
    names = [{image.numpy().tobytes() for image in split.images} for split in data.splits.values()]
    assert sum(map(len, names)) == len(set.union(*names))


def test_both_tasks_have_the_same_splits_and_every_image_starts_a_row():
    alone, three = (image_dataset("made", pool(), Cut(2, k, 4, validation=12, common=15)) for k in (1, 3))
    for name, split in three.splits.items():
        assert torch.equal(split.images, alone.splits[name].images)
        assert bool((split.blocks == torch.arange(len(split))[:, None]).any(1).all())


def test_other_seeds_draw_other_rows():
    one, two = (image_dataset("made", pool(), Cut(2, 3, seed=seed, validation=12)) for seed in (0, 1))
    assert not torch.equal(one.splits["train"].images, two.splits["train"].images)
    assert not torch.equal(one.splits["train"].blocks, two.splits["train"].blocks)


def test_folds_have_every_class_and_part_in_proportion():
    data = image_dataset("made", pool(), Cut(2, 1, 4, validation=12, common=15))
    split = data.splits["train"]
    for k in range(4):
        own = split.fold == k
        assert int(own.sum()) == 38
        for value in range(3):
            for part in (True, False):
                share = ((split.classes == value) & (split.published == part)).sum() / 4
                assert (
                    abs(int(((split.classes == value) & (split.published == part) & own).sum()) - share) < 2
                )
    assert len(split.trains(Member(0))) == int(split.published.sum())


@given(labels=st.lists(st.integers(0, 3), max_size=12), seed=st.integers(0, 99))
def test_majority_rows(labels, seed):
    labels = torch.tensor([*labels, 0, 0, 5, 5])  # at least two of two classes
    counts = labels.bincount()
    if bool((counts == 1).any()):
        with pytest.raises(BadSetting, match=r"^the majority task needs two images of every class"):
            majority_rows(labels, str(seed))
        return
    for row, three in enumerate(majority_rows(labels, str(seed)).tolist()):
        same = [other for other in three if labels[other] == labels[row]]
        assert row in three
        assert len(set(three)) == 3
        assert len(same) == 2


def test_partners_and_places_are_drawn_evenly():
    """Of 4,000 rows every place and every partner comes up about as often as every other."""
    labels = torch.tensor([0] * 4 + [1] * 4 + [2] * 4)
    drawn = torch.stack([majority_rows(labels, str(seed)) for seed in range(4000)])[:, 0]
    place = (drawn == 0).float().mean(0)
    assert bool(((place - 1 / 3).abs() < 0.03).all())
    partner = drawn.flatten().bincount(minlength=12)[1:] / 4000
    assert bool(((partner[:3] - 1 / 3).abs() < 0.03).all())
    assert bool(((partner[3:] - 1 / 8).abs() < 0.03).all())
