"""What every data set must keep, yours too: ``check_dataset(dataset)`` runs all of it."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from torch import Tensor
from torch.utils import _pytree as pytree

from holdfast.core.records import Batch
from holdfast.data.base import Dataset, Split
from holdfast.testing.modality import modality
from holdfast.testing.splits import some


def check_dataset(dataset: Dataset, again: Callable[[], Dataset] | None = None) -> None:
    """Run every check; ``again`` loads the same data set a second time.

    >>> from holdfast.data.source import Source, load
    >>> check_dataset(load(Source("planted:train=20,validation=10,test=10")))
    >>> check_dataset(load(Source("digits-maj:folds=7")))
    >>> check_dataset(load(Source("planted-plays:users=50")))
    >>> check_dataset(load(Source("breast-cancer:resample=true")))
    >>> check_dataset(load(Source("planted-cloze:train=20,validation=10,test=10")))
    """
    kind = modality(dataset.task.kind)
    kind.check_splits(dataset)
    for split in dataset.splits.values():
        check_composition(split)
    check_inputs(dataset)
    check_round_trip(dataset)
    kind.check(dataset)
    if again is not None:
        check_same(dataset, again())


def check_composition(split: Split) -> None:
    """An example is the same alone, among others, in any order, and twice."""
    rows = some(split)
    together = split.batch(torch.cat([rows.flip(0), rows]))
    for place, row in enumerate(rows.tolist()):
        alone = _present(split.batch(torch.tensor([row])), 0)
        for spot in (len(rows) - 1 - place, len(rows) + place):
            among = _present(together, spot)
            assert all(map(torch.equal, alone, among)), f"row {row} depends on its neighbours"


def check_inputs(dataset: Dataset) -> None:
    """Numbers of words lie within the vocabulary; vectors have a row for each word, padding none."""
    for split in dataset.splits.values():
        batch = split.batch(some(split))
        if not batch.inputs.is_floating_point():
            assert batch.inputs.dtype == torch.long, "expected inputs as int64"
            assert int(batch.inputs.max()) < dataset.task.vocabulary, "inputs are beyond the vocabulary"
            assert int(batch.inputs[batch.mask].min()) > 0, "padding's number inside of a text"
    if dataset.task.vectors is not None:
        assert len(dataset.task.vectors) == dataset.task.vocabulary, "expected one vector for each word"
        assert not dataset.task.vectors[0].any(), "padding has a vector"
        assert bool(dataset.task.vectors.isfinite().all()), "vectors are not finite"


def check_round_trip(dataset: Dataset) -> None:
    """Saving and loading changes no bit, and the same data set is saved as the same bytes."""
    with TemporaryDirectory() as folder:
        first, second = Path(folder) / "first.safetensors", Path(folder) / "second.safetensors"
        digest = dataset.save(first)
        loaded = type(dataset).load(first)
        check_same(dataset, loaded)
        assert loaded.save(second) == digest, "what was loaded is saved as other bytes"


def check_same(one: Dataset, other: Dataset) -> None:
    """Two data sets are equal bit for bit."""
    assert one.name == other.name, "names differ"
    assert one.task.classes == other.task.classes, "classes differ"
    assert one.task.strip == other.task.strip, "strips differ"
    assert one.task.length == other.task.length, "lengths of histories differ"
    assert (one.task.vocabulary, one.task.pair) == (other.task.vocabulary, other.task.pair), "tasks differ"
    assert one.task.cloze == other.task.cloze, "only one has cloze questions"
    assert (one.task.vectors is None) == (other.task.vectors is None), "only one has vectors"
    if one.task.vectors is not None and other.task.vectors is not None:
        assert torch.equal(one.task.vectors, other.task.vectors), "vectors differ"
    for name, split in one.splits.items():
        rows = torch.arange(len(split))
        assert len(other.splits[name]) == len(split), f"sizes of split '{name}' differ"
        pair = _tensors(split.batch(rows)), _tensors(other.splits[name].batch(rows))
        assert all(map(torch.equal, *pair)), f"split '{name}' differs"
    modality(one.task.kind).check_same(one, other)


def _tensors(batch: Batch) -> list[Tensor]:
    return list(pytree.tree_leaves(batch))


def _present(batch: Batch, spot: int) -> list[Tensor]:
    """What exists of one example."""
    parts = [batch.inputs[spot][batch.mask[spot]]]
    if batch.query is not None and batch.query_mask is not None:
        parts.append(batch.query[spot][batch.query_mask[spot]])
    if batch.following is not None:
        parts.append(batch.following[spot][batch.following[spot] > 0])
    facts = (batch.options, batch.user, batch.labels)
    others = (batch.targets, batch.weight, batch.rows, batch.candidates, *facts)
    return [*parts, *(tensor[spot] for tensor in others if tensor is not None)]
