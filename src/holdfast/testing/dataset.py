"""What every data set must keep, yours too: ``check_dataset(dataset)`` runs all of it."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from torch import Tensor
from torch.utils import _pytree as pytree

from holdfast.core.records import Batch
from holdfast.data.base import SPLITS, Dataset, Split
from holdfast.data.image.dataset import StripDataset
from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.data.text.build import shared_texts
from holdfast.data.text.dataset import TextDataset, TextSplit
from holdfast.testing.image import check_same_strips, check_strips
from holdfast.testing.interaction import check_interactions, check_items, check_same_interactions

SOME = 64


def check_dataset(dataset: Dataset, again: Callable[[], Dataset] | None = None) -> None:
    """Run every check; ``again`` loads the same data set a second time.

    >>> from holdfast.data.source import Source, load
    >>> check_dataset(load(Source("planted:train=20,validation=10,test=10")))
    >>> check_dataset(load(Source("digits-maj:folds=7")))
    >>> check_dataset(load(Source("planted-plays:users=50")))
    """
    items = dataset.task.kind == "interaction"
    check_items(dataset) if items else check_splits(dataset)
    for split in dataset.splits.values():
        if not items:
            check_batches(split, pair=dataset.task.pair)
            check_padding(split)
        check_composition(split)
    check_inputs(dataset)
    check_round_trip(dataset)
    if isinstance(dataset, TextDataset):
        check_text(dataset)
    if isinstance(dataset, StripDataset):
        check_strips(dataset)
    if isinstance(dataset, InteractionDataset):
        check_interactions(dataset)
    if again is not None:
        check_same(dataset, again())


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
    assert len(set(dataset.splits["train"].targets.tolist())) == classes, "some class is never trained on"


def check_batches(split: Split, *, pair: bool = False) -> None:
    """Shapes, types, weights and rows of a batch; padding is 0 and lies on the right."""
    rows = _some(split)
    batch = split.batch(rows)
    shape = (len(rows), int(split.lengths[rows].max()))
    assert tuple(batch.mask.shape) == shape, (
        f"expected a mask of shape {shape}, got {tuple(batch.mask.shape)}"
    )
    assert tuple(batch.inputs.shape[:2]) == shape, "inputs and mask differ in shape"
    assert batch.mask.dtype == torch.bool, "expected a mask of truth values"
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
    rows = _some(split)
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


def check_composition(split: Split) -> None:
    """An example is the same alone, among others, in any order, and twice."""
    rows = _some(split)
    together = split.batch(torch.cat([rows.flip(0), rows]))
    for place, row in enumerate(rows.tolist()):
        alone = _present(split.batch(torch.tensor([row])), 0)
        for spot in (len(rows) - 1 - place, len(rows) + place):
            among = _present(together, spot)
            assert all(map(torch.equal, alone, among)), f"row {row} depends on its neighbours"


def check_inputs(dataset: Dataset) -> None:
    """Numbers of words lie within the vocabulary; vectors have a row for each word, padding none."""
    for split in dataset.splits.values():
        batch = split.batch(_some(split))
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
    assert (one.task.vectors is None) == (other.task.vectors is None), "only one has vectors"
    if one.task.vectors is not None and other.task.vectors is not None:
        assert torch.equal(one.task.vectors, other.task.vectors), "vectors differ"
    for name, split in one.splits.items():
        rows = torch.arange(len(split))
        assert len(other.splits[name]) == len(split), f"sizes of split '{name}' differ"
        pair = _tensors(split.batch(rows)), _tensors(other.splits[name].batch(rows))
        assert all(map(torch.equal, *pair)), f"split '{name}' differs"
    if isinstance(one, TextDataset) and isinstance(other, TextDataset):
        _check_same_text(one, other)
    if isinstance(one, StripDataset) and isinstance(other, StripDataset):
        check_same_strips(one, other)
    if isinstance(one, InteractionDataset) and isinstance(other, InteractionDataset):
        check_same_interactions(one, other)


def check_text(dataset: TextDataset) -> None:
    """Tokens match numbers, the truth matches tokens, and test texts are not training texts."""
    assert len(dataset.vocabulary) == dataset.task.vocabulary, "vocabulary and task differ in size"
    for name, split in dataset.splits.items():
        for row in _some(split).tolist():
            tokens, batch = dataset.tokens(name, row), split.batch(torch.tensor([row]))
            assert dataset.vocabulary.encode(tokens) == batch.inputs[0].tolist(), "tokens and numbers differ"
            assert "<unk>" not in tokens, "the word behind an unknown number is lost"
        check_truth(split)
    shared = shared_texts(dataset.splits["train"], dataset.splits["test"])
    assert shared <= len(dataset.splits["test"]) / 2, "most test texts are training texts"


def check_truth(split: TextSplit) -> None:
    """The rationale is 0 or 1, 0 on padding, and marks something in every text; or there is none."""
    rows = _some(split)
    batch = split.batch(rows)
    truth = split.truth(rows, batch.mask.shape[1])
    if truth is None:
        return
    assert truth.shape == batch.mask.shape, "truth and mask differ in shape"
    assert bool(((truth == 0) | (truth == 1)).all()), "truth is not 0 or 1"
    assert not truth[~batch.mask].any(), "padding is marked as true"
    assert bool(truth.any(1).all()), "some text has no rationale"


def _check_same_text(one: TextDataset, other: TextDataset) -> None:
    assert one.vocabulary == other.vocabulary, "vocabularies differ"
    assert one.notes == other.notes, "notes differ"
    for name, split in one.splits.items():
        twin = other.splits[name]
        assert split.truncated == twin.truncated, "counts of truncated texts differ"
        assert split.texts.unknown == twin.texts.unknown, "unknown words differ"
        assert (split.rationale is None) == (twin.rationale is None), "only one has a rationale"
        if split.rationale is not None and twin.rationale is not None:
            assert torch.equal(split.rationale, twin.rationale), "rationales differ"


def _some(split: Split) -> Tensor:
    return torch.arange(0, len(split), -(-len(split) // SOME))


def _tensors(batch: Batch) -> list[Tensor]:
    return list(pytree.tree_leaves(batch))


def _present(batch: Batch, spot: int) -> list[Tensor]:
    """What exists of one example."""
    found = [batch.inputs[spot][batch.mask[spot]]]
    if batch.query is not None and batch.query_mask is not None:
        found.append(batch.query[spot][batch.query_mask[spot]])
    if batch.following is not None:
        found.append(batch.following[spot][batch.mask[spot]])
    own = (batch.targets, batch.weight, batch.rows, batch.candidates)
    return [*found, *(tensor[spot] for tensor in own if tensor is not None)]
