"""What the splits of a data set with classes must keep."""

import torch
from torch import Tensor

from holdfast.data.base import SPLITS, Dataset, Split

SOME = 64


def check_splits(dataset: Dataset) -> None:
    """Three splits that are not empty, and targets that are classes; every class is trained on."""
    assert set(dataset.splits) == set(SPLITS), f"expected splits {SPLITS}, but got {tuple(dataset.splits)}"
    classes = len(dataset.task.classes)
    assert classes >= 2, "expected two classes or more"
    assert len(set(dataset.task.classes)) == classes, "expected class names that differ"
    for name, split in dataset.splits.items():
        assert len(split) > 0, f"split '{name}' is empty"
        assert split.targets.dtype == torch.long, "expected targets as int64"
        assert len(split.lengths) == len(split.targets), "expected one length and one target for each example"
        assert int(split.targets.min()) >= 0, "targets are negative"
        assert int(split.targets.max()) < classes, "targets are beyond the last class"
        assert int(split.lengths.min()) >= 1, "some examples have no position"
    seen = len(set(dataset.splits["train"].targets.tolist()))
    assert dataset.task.cloze or seen == classes, "some class is never trained on"


def check_batches(split: Split, *, pair: bool = False) -> None:
    """Shapes, types, weights and rows of a batch; padding is 0 and lies on the right."""
    rows = some(split)
    batch = split.batch(rows)
    shape = (len(rows), int(split.lengths[rows].max()))
    assert tuple(batch.mask.shape) == shape, (
        f"expected a mask of shape {shape}, got {tuple(batch.mask.shape)}"
    )
    assert tuple(batch.inputs.shape[:2]) == shape, "inputs and mask differ in shape"
    assert batch.mask.dtype == torch.bool, "expected a boolean mask"
    assert torch.equal(batch.mask.sum(1), split.lengths[rows]), "mask and lengths differ"
    assert not (batch.mask[:, 1:] & ~batch.mask[:, :-1]).any(), "padding lies left of data"
    assert not batch.inputs[~batch.mask].any(), "padding is not 0"
    assert batch.targets is not None, "a batch has no targets"
    assert torch.equal(batch.targets, split.targets[rows]), "targets are not those of the rows"
    assert batch.weight is not None, "a batch has no weights"
    assert torch.equal(batch.weight, torch.ones(len(rows))), "weights are not 1"
    assert batch.rows is not None, "a batch does not know its rows"
    assert torch.equal(batch.rows, rows), "a batch does not know its rows"
    assert (batch.query is not None) == pair == (batch.query_mask is not None), (
        "pairs have a query, others none"
    )
    if batch.query is not None and batch.query_mask is not None:
        assert bool(batch.query_mask.any(1).all()), "some query has no position"
        assert not batch.query[~batch.query_mask].any(), "padding of a query is not 0"


def check_padding(split: Split) -> None:
    """A longer padding adds masked positions and nothing else; a length that is too short is refused."""
    rows = some(split)
    short = split.batch(rows)
    longest = short.mask.shape[1]
    long = split.batch(rows, longest + 3)
    assert torch.equal(long.inputs[:, :longest], short.inputs), "padding changes the inputs"
    assert torch.equal(long.mask[:, :longest], short.mask), "padding changes the mask"
    assert not long.mask[:, longest:].any(), "padding is not masked"
    try:
        split.batch(rows, longest - 1)
    except ValueError:
        return
    raise AssertionError("a length shorter than an example was not refused")


def holed(length: int) -> Tensor:
    """Masks of five examples: full, shorter, with a hole, of one position, and empty."""
    sizes = [length, max(length - 2, 1), max(length - 1, 1), 1, 0]
    mask = torch.arange(length) < torch.tensor(sizes)[:, None]
    mask[2, min(1, length - 1)] = False
    return mask


def some(split: Split) -> Tensor:
    """Rows spread over the whole split."""
    return torch.arange(0, len(split), -(-len(split) // SOME))
