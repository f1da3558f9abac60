"""The contract of a perturbation: ``check_perturbation(Yours(), dataset, batch)`` runs every check of it."""

from collections.abc import Callable
from pathlib import Path

import torch

from holdfast.core.records import Batch
from holdfast.data.base import Dataset
from holdfast.data.perturb.base import Perturbation, Perturbed

Check = Callable[[Perturbation, Dataset, Batch, Path | None], None]


def check_perturbation(
    perturbation: Perturbation, dataset: Dataset, batch: Batch, data_dir: Path | None = None
) -> None:
    """Run every check of the contract; an ``AssertionError`` names the promise that is broken.

    ``batch`` has rows, and examples of which at least one can be changed.

    >>> from holdfast.data.perturb.dropped import Dropped
    >>> from holdfast.data.source import Source, load
    >>> data = load(Source("planted:train=40,validation=10,test=10"))
    >>> check_perturbation(Dropped(count=2), data, data.splits["test"].batch(torch.arange(10)))
    """
    for check in CHECKS:
        check(perturbation, dataset, batch, data_dir)


def check_shape(perturbation: Perturbation, dataset: Dataset, batch: Batch, data_dir: Path | None) -> None:
    """As many positions as before, inputs of the same kind, and some that are touched."""
    batch_now, place, touched = perturbation.perturb(batch, dataset, data_dir)
    same = batch_now.inputs.shape == batch.inputs.shape and batch_now.inputs.dtype == batch.inputs.dtype
    assert same, f"{perturbation}: expected inputs of the same shape and type"
    assert batch_now.mask.shape == place.shape == touched.shape == batch.mask.shape, (
        f"{perturbation}: expected a mask, places and marks for each position"
    )
    assert touched.any(), f"{perturbation} changes nothing"
    if not batch.inputs.is_floating_point():
        low, high = int(batch_now.inputs[batch_now.mask].min()), int(batch_now.inputs.max())
        assert low > 0, f"{perturbation}: padding's number inside of an example"
        assert high < dataset.task.vocabulary, f"{perturbation}: inputs are beyond the vocabulary"


def check_mask(perturbation: Perturbation, dataset: Dataset, batch: Batch, data_dir: Path | None) -> None:
    """What does not exist is neither touched nor made, and something of every example stays."""
    changed = perturbation.perturb(batch, dataset, data_dir)
    assert not (changed.touched & ~batch.mask).any(), f"{perturbation} touches positions that do not exist"
    assert not (changed.batch.mask & ~batch.mask).any(), f"{perturbation} makes positions that did not exist"
    assert bool((changed.batch.mask.any(1) == batch.mask.any(1)).all()), f"{perturbation} leaves nothing"


def check_places(perturbation: Perturbation, dataset: Dataset, batch: Batch, data_dir: Path | None) -> None:
    """A position that is still there lies at one that exists, alone, and is what it was unless touched."""
    changed = perturbation.perturb(batch, dataset, data_dir)
    for row, places in enumerate(changed.place):
        old = (places >= 0).nonzero()[:, 0]
        new = places[old]
        assert batch.mask[row, old].all(), f"{perturbation} places positions that do not exist"
        assert changed.batch.mask[row, new].all(), f"{perturbation} places positions where there is nothing"
        assert len(set(new.tolist())) == len(new), f"{perturbation} lays two positions on one"
        kept = ~changed.touched[row, old]
        same = torch.equal(batch.inputs[row, old[kept]], changed.batch.inputs[row, new[kept]])
        assert same, f"{perturbation} changes positions that it does not mark as touched"
        idle = not changed.touched[row].any()
        still = torch.equal(changed.batch.inputs[row], batch.inputs[row])
        assert still or not idle, f"{perturbation} changes an example and touches nothing"


def check_batch(perturbation: Perturbation, dataset: Dataset, batch: Batch, data_dir: Path | None) -> None:
    """An example is changed alone as it is among others, in any order, and twice."""
    whole = perturbation.perturb(batch, dataset, data_dir)
    order = torch.arange(len(batch)).flip(0)
    among = perturbation.perturb(batch.take(order), dataset, data_dir)
    assert _same(whole, among, order), f"{perturbation} depends on the order of the batch"
    assert _same(whole, perturbation.perturb(batch, dataset, data_dir), torch.arange(len(batch))), (
        f"{perturbation} is another one when it is made again"
    )
    for row in whole.touched.any(1).nonzero()[:, 0][:5]:
        alone = perturbation.perturb(batch.take(row[None]), dataset, data_dir)
        assert _same(whole, alone, row[None]), f"{perturbation} depends on the batch"


def check_untouched(
    perturbation: Perturbation, dataset: Dataset, batch: Batch, data_dir: Path | None
) -> None:
    """The batch itself is as it was."""
    kept = batch.map(torch.clone)
    perturbation.perturb(batch, dataset, data_dir)
    same = torch.equal(kept.inputs, batch.inputs) and torch.equal(kept.mask, batch.mask)
    assert same, f"{perturbation} writes into the batch"


def check_shift(perturbation: Perturbation, dataset: Dataset, batch: Batch, data_dir: Path | None) -> None:
    """Where vectors move, each example's do so alone as among others, and only numbers that exist."""
    shift = perturbation.shift(batch, _room)
    if shift is None:
        return
    room, order = _room(batch), torch.arange(len(batch)).flip(0)
    assert shift.shape == room.shape, f"{perturbation}: expected a shift for each number of each vector"
    assert not (shift * ~room).any(), f"{perturbation} moves numbers that do not exist"
    among = perturbation.shift(batch.take(order), _room)
    assert among is not None, f"{perturbation} moves nothing in another order"
    assert torch.equal(shift[order], among), f"{perturbation} depends on the batch"


CHECKS: tuple[Check, ...] = (
    check_untouched, check_mask, check_shape, check_places, check_batch, check_shift,
)  # fmt: skip


def _room(batch: Batch) -> torch.Tensor:
    """Three numbers for each position, the last of which every other one lacks."""
    room = batch.mask[..., None].repeat(1, 1, 3)
    room[:, ::2, -1] = False
    return room


def _same(whole: Perturbed, some: Perturbed, rows: torch.Tensor) -> bool:
    """Whether some examples are changed as they are among all."""
    inputs = torch.equal(whole.batch.inputs[rows], some.batch.inputs)
    mask = torch.equal(whole.batch.mask[rows], some.batch.mask)
    return inputs and mask and all(torch.equal(a[rows], b) for a, b in zip(whole[1:], some[1:], strict=True))
