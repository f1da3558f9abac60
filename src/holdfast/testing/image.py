"""What every image data set must keep, beside what every data set must."""

from itertools import combinations

import torch
from torch import Tensor

from holdfast.core.records import Member
from holdfast.data.image.dataset import ImageDataset, ImageSplit, to_strips

SOME = 64
SHARED = 0.01
FIELDS = ("images", "blocks", "classes", "steps", "top", "majority", "fold", "published")


def check_images(dataset: ImageDataset) -> None:
    """Run every check on images.

    >>> from holdfast.data.source import Source, load
    >>> check_images(load(Source("digits:steps=2")))
    """
    for name, split in dataset.splits.items():
        assert split.strip == dataset.task.strip, f"split '{name}' and the task differ in their strips"
        check_pixels(split)
        check_pictures(dataset, name)
        check_majority(split)
        check_folds(split)
    assert dataset.task.vocabulary == 0, "images have no words"
    check_apart(dataset)


def check_pixels(split: ImageSplit) -> None:
    """Pixels lie within [−1, 1], all are scored, and ink is the pixels' intensity from 0 up."""
    rows = _some(split)
    inputs = split.batch(rows).inputs
    steps, height, width = split.strip
    assert tuple(inputs.shape) == (len(rows), steps, height, width), "inputs are not (rows, T, H, w)"
    assert inputs.is_floating_point(), "expected pixels as numbers with a point"
    assert float(inputs.min()) >= -1, "pixels below −1"
    assert float(inputs.max()) <= 1, "pixels above 1"
    scored = split.scored(rows)
    assert tuple(scored.shape) == (len(rows), steps * height * width), "scored is not (rows, pixels)"
    assert bool(scored.all()), "some pixel is said not to exist"
    ink = split.ink(rows)
    assert bool((ink >= 0).all()), "ink is negative"
    assert torch.allclose(ink, ((inputs + 1) / 2).sum((2, 3)), atol=1e-3), "ink is not the pixels' intensity"


def check_pictures(dataset: ImageDataset, name: str) -> None:
    """Strips put side by side are the images; sums over time and over blocks lose nothing."""
    split, rows = dataset.splits[name], _some(dataset.splits[name])
    steps = split.strip[0]
    flat = split.batch(rows).inputs.flatten(1)
    assert torch.equal(to_strips(dataset.image(flat), steps).flatten(1), flat), "images lose pixels"
    side = torch.cat(list(split.images[split.blocks[rows]].unbind(1)), -1) / split.top
    assert torch.allclose(dataset.images(name, rows), side, atol=1e-6), (
        "images() are not the images of the split"
    )
    total = flat.double().sum(-1)
    for sums in (dataset.time(flat.double()), dataset.block_sums(flat.double())):
        assert torch.allclose(sums.sum(-1), total), "sums over steps or blocks lose something"


def check_majority(split: ImageSplit) -> None:
    """The truth is 0 or 1, the same within a block, and marks more than half of the blocks, never all."""
    rows = _some(split)
    truth = split.truth(rows)
    if split.majority is None:
        assert truth is None, "a truth without a majority"
        return
    assert truth is not None, "a majority without a truth"
    assert truth.shape == split.scored(rows).shape, "truth and scored differ in shape"
    per_block = split.majority.sum(1) * split.images[0].numel()
    assert torch.equal(truth.sum(1), per_block[rows].float()), "the truth does not cover its blocks"
    assert bool(((truth == 0) | (truth == 1)).all()), "truth is not 0 or 1"
    count, blocks = split.majority.sum(1), split.blocks.shape[1]
    assert bool((count * 2 > blocks).all()), "some example has no majority"
    assert bool((count < blocks).all()), "some example has nothing but the majority"
    unlike = (split.blocks.sort(1).values.diff(dim=1) > 0).all()
    assert bool(unlike), "an image stands beside itself"


def check_folds(split: ImageSplit) -> None:
    """Members train on as many rows each, and never on an image that is held from them."""
    if split.fold is None:
        assert split.trains(Member(0)) is None, "rows of its own without folds"
        assert split.held(Member(0)) is None, "rows held without folds"
        return
    folds = [Member(0, k) for k in range(int(split.fold.max()) + 1)]
    for rows, what in ((split.trains, "train on"), (split.held, "hold")):
        sizes = {len(_rows(rows(member))) for member in folds}
        assert len(sizes) == 1, f"folds {what} different numbers of rows: {sorted(sizes)}"
    for member in (Member(0), *folds):
        trained = _rows(split.trains(member)).tolist()
        assert len(set(trained)) == len(trained), f"{member} trains on a row twice"
    held = torch.cat([_rows(split.held(member)) for member in folds])
    assert torch.equal(held.sort().values, torch.arange(len(split))), (
        "some row is held from none, or from two"
    )
    for member in (Member(0), *folds):
        seen = set(split.blocks[_rows(split.trains(member))].flatten().tolist())
        kept = set(split.blocks[_rows(split.held(member))].flatten().tolist())
        assert not seen & kept, f"{member} trains on images that are held from it"


def check_apart(dataset: ImageDataset) -> None:
    """Images of one split are not images of another, pixel by pixel.

    At most one in a hundred of the smaller split's (:data:`SHARED`) may be: some data show the same thing
    twice. Digits, MNIST and FashionMNIST have none.
    """
    for one, other in combinations(dataset.splits, 2):
        mine, yours = (_images(dataset.splits[name]) for name in (one, other))
        same, most = len(mine & yours), int(SHARED * min(len(mine), len(yours)))
        assert same <= most, f"{same} images of split '{other}' are in '{one}' too, and at most {most} may be"


def check_same_images(one: ImageDataset, other: ImageDataset) -> None:
    """Folds, blocks and images are the same, and so are the notes."""
    assert one.notes == other.notes, "notes differ"
    for name, split in one.splits.items():
        for field in FIELDS:
            mine, yours = getattr(split, field), getattr(other.splits[name], field)
            same = (
                torch.equal(mine, yours) if isinstance(mine, Tensor) and yours is not None else mine == yours
            )
            assert same, f"'{field}' of split '{name}' differs"


def _images(split: ImageSplit) -> set[bytes]:
    return {image.tobytes() for image in split.images.numpy()}


def _rows(rows: Tensor | None) -> Tensor:
    assert rows is not None, "a split with folds does not say who trains on what"
    return rows


def _some(split: ImageSplit) -> Tensor:
    return torch.arange(0, len(split), -(-len(split) // SOME))
