"""The suite sees what is wrong with strips."""

from dataclasses import replace

import pytest
import torch

from holdfast.data.image.dataset import ImageDataset, ImageSplit
from holdfast.data.source import Source, load
from holdfast.testing.dataset import check_dataset
from holdfast.testing.image import (
    check_apart,
    check_images,
    check_majority,
    check_pixels,
    check_same_images,
)


@pytest.fixture(scope="module")
def digits() -> ImageDataset:
    return load(Source("digits-maj:folds=3,limit=330"))


def test_good_ones_pass(digits: ImageDataset) -> None:
    check_images(digits)
    check_same_images(digits, digits)


def with_train(data: ImageDataset, **changes: object) -> ImageDataset:
    return replace(data, splits={**data.splits, "train": replace(data.splits["train"], **changes)})


def test_leaks_between_folds_are_seen(digits: ImageDataset) -> None:
    blocks = digits.splits["train"].blocks.flip(0)  # partners, and the image itself, of any fold
    with pytest.raises(AssertionError, match="trains on images that are held from it"):
        check_dataset(with_train(digits, blocks=blocks))


def test_folds_of_different_sizes_are_seen(digits: ImageDataset) -> None:
    fold = digits.splits["train"].fold.clone()
    fold[fold == 2] = 1
    fold[0] = 2
    with pytest.raises(AssertionError, match="folds hold different numbers of rows"):
        check_images(with_train(digits, fold=fold))


def leaking(digits: ImageDataset, count: int) -> ImageDataset:
    """The same, with some training images among those of the test split."""
    test = digits.splits["test"]
    images = torch.cat([digits.splits["train"].images[:count], test.images[count:]])
    return replace(digits, splits={**digits.splits, "test": replace(test, images=images)})


def test_test_images_in_the_training_part_are_seen(digits: ImageDataset) -> None:
    check_apart(leaking(digits, 2))  # one in a hundred of 200
    for count in (3, 100, 200):
        message = f"^{count} images of split 'test' are in 'train' too, and at most 2 may be$"
        with pytest.raises(AssertionError, match=message):
            check_apart(leaking(digits, count))


def test_a_majority_that_is_none_is_seen(digits: ImageDataset) -> None:
    split = digits.splits["test"]
    for majority, sentence in (
        (torch.zeros_like(split.majority), "no majority"),
        (torch.ones_like(split.majority), "nothing but the majority"),
    ):
        with pytest.raises(AssertionError, match=sentence):
            check_majority(replace(split, majority=majority))
    with pytest.raises(AssertionError, match="an image stands beside itself"):
        check_majority(replace(split, blocks=split.blocks[:, [0, 0, 1]]))


class Bright(ImageSplit):
    def batch(self, rows, length=None):
        batch = super().batch(rows, length)
        return replace(batch, inputs=batch.inputs + 1)


def test_pixels_out_of_bounds_are_seen(digits: ImageDataset) -> None:
    split = digits.splits["test"]
    with pytest.raises(AssertionError, match="pixels above 1"):
        check_pixels(Bright(split.images, split.blocks, split.classes, split.steps, split.top))


def test_another_fold_is_another_data_set(digits: ImageDataset) -> None:
    other = with_train(digits, fold=digits.splits["train"].fold.flip(0))
    with pytest.raises(AssertionError, match=r"^'fold' of split 'train' differs"):
        check_same_images(digits, other)
