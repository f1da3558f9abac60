"""What every interaction data set must keep, beside what every data set must."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.utils import _pytree as pytree

from holdfast.core.records import Batch, Member
from holdfast.data.base import SPLITS, Dataset, Split
from holdfast.data.interaction.dataset import HELD_OUT, InteractionDataset

SOME = 64
CPU = torch.device("cpu")
PAIRS = "pairs"
PLACES = {"validation": (2,), "test": (1, 2)}  # how far from the end the item of a split may lie


def check_interactions(dataset: InteractionDataset) -> None:
    """Run every check on interactions.

    >>> from holdfast.data.source import Source, load
    >>> check_interactions(load(Source("planted-plays:users=50")))
    """
    check_items(dataset)
    check_names(dataset)
    check_train(dataset)
    check_pairs(dataset)
    for name in HELD_OUT:
        check_held_out(dataset, name)
        check_causes(dataset.splits[name])


def check_items(dataset: Dataset) -> None:
    """A task of items, three splits that are not empty; histories end in the last column, padding is 0."""
    expected = (*SPLITS, PAIRS)
    assert set(dataset.splits) == set(expected), f"expected {expected}, but got {tuple(dataset.splits)}"
    assert dataset.task.classes == (), "expected no classes"
    assert dataset.task.length is not None, "the task does not say how many items a model sees"
    for name, split in dataset.splits.items():
        assert len(split) > 0, f"split '{name}' is empty"
        assert split.drawn == (name == "train"), "only the training split draws anew"
        assert split.widest == dataset.task.length, "batches may be wider than the task's length"
        assert bool((split.lengths <= split.widest).all()), "a history is longer than the task's length"
        assert split.padded or bool((split.lengths == split.widest).all()), "lengths are not the task's"
        assert not split.targets.any(), "the truth is not the first candidate"
        check_alignment(split)


def check_alignment(split: Split) -> None:
    """(B, n) with the latest item last; more columns are padding on the left, fewer are refused."""
    rows = _some(split)
    batch, length = split.batch(rows), int(split.lengths[rows].max())
    assert tuple(batch.inputs.shape) == (len(rows), length), "inputs are not (rows, length)"
    assert batch.inputs.shape == batch.mask.shape, "inputs and mask differ in shape"
    assert not batch.inputs[~batch.mask].any(), "padding is not 0"
    assert not (batch.mask[:, :-1] & ~batch.mask[:, 1:]).any(), "a history does not end in the last column"
    assert bool(batch.mask[:, -1].all()), "some history is empty"
    scored = split.scored(rows)
    assert torch.equal(split.fitted(scored, length), batch.mask), "scored and mask differ"
    assert int(scored.sum()) == int(batch.mask.sum()), "scored and mask differ"
    assert batch.rows is not None, "a batch does not know its rows"
    assert torch.equal(batch.rows, rows), "a batch does not know its rows"
    assert batch.weight is not None, "a batch has no weights"
    assert torch.equal(batch.weight, torch.ones(len(rows))), "weights are not 1"
    wide = split.batch(rows, length + 3)
    assert torch.equal(wide.inputs[:, 3:], batch.inputs), "padding changes the inputs"
    assert torch.equal(wide.mask[:, 3:], batch.mask), "padding changes the mask"
    assert not wide.mask[:, :3].any(), "padding is not masked"
    try:
        split.batch(rows, length - 1)
    except ValueError:
        return
    raise AssertionError("a length shorter than a history was not refused")


def check_names(dataset: InteractionDataset) -> None:
    """Each user and item has one name, a name leads back to its user, and items are numbered from 1."""
    ids, items = dataset.histories.ids, len(dataset.items)
    assert dataset.task.vocabulary == items + 1, "the task counts other items than have names"
    assert int(ids.min()) >= 1, "an item has no number"
    assert int(ids.max()) <= items, "an item is beyond the last"
    assert int(dataset.histories.lengths.min()) >= 3, "some history cannot be split"
    assert len(dataset.users) == len(dataset.histories), "users and histories differ in number"
    for row in _some(dataset.splits["test"]).tolist():
        assert dataset.user_row(dataset.user_name(row)) == row, "a user's name leads to another"
        assert all(dataset.item_name(item) for item in dataset.history(row)), "an item has no name"


def check_train(dataset: InteractionDataset, epochs: int = 2) -> None:
    """Draws depend on the member and the epoch only; windows come from the training part, never from what is
    held out; negatives are items that the user has not touched there."""
    split = dataset.splits["train"]
    same = [split.fresh(Member(1), 1, 2, CPU) for _ in range(2)]
    assert all(map(torch.equal, *map(_leaves, same))), "the same member draws differently the second time"
    for other in (split.fresh(Member(2), 1, 2, CPU), split.fresh(Member(1), 2, 2, CPU)):
        assert not torch.equal(_negatives(other), _negatives(same[0])), (
            "another member or epoch has the same draws"
        )
    assert split.fresh(Member(0), 1, 0, CPU).negatives is None, "negatives were drawn where none were wanted"
    users = (dataset.histories.lengths >= 4).nonzero()[:, 0]
    samples = len(split) // len(users)
    assert len(split) == len(users) * samples, "users differ in their number of rows"
    for epoch in range(1, epochs + 1):
        batch = split.fresh(Member(0), epoch, 2, CPU)
        assert bool((batch.inputs[~batch.mask] == 0).all()), "padding is not 0"
        for row in _some(split).tolist():
            history = dataset.histories.of(int(users[row // samples])).tolist()[:-2]
            _check_window(batch, row, history)


def check_pairs(dataset: InteractionDataset) -> None:
    """Every item that a user took in training is in one row, beside the history; negatives are items that
    the user did not take there, and a member's draw is the same each time."""
    split = dataset.splits[PAIRS]
    batch, drawn = split.batch(torch.arange(len(split))), split.negatives(Member(1), 1, 2, CPU)
    assert split.negatives(Member(1), 1, 0, CPU) is None, "negatives were drawn where none were wanted"
    assert drawn is not None, "there are no negatives"
    again = split.negatives(Member(1), 1, 2, CPU)
    assert again is not None, "there are no negatives"
    assert torch.equal(again, drawn), "the same member draws differently the second time"
    assert batch.user is not None, "a row does not know its user"
    assert batch.following is not None, "a row does not say what was taken"
    assert dataset.task.users == len(dataset.histories), "the task counts other users"
    assert not drawn[batch.following == 0].any(), "a filler has negatives"
    for user in _some(dataset.splits["test"]).tolist():
        rows, history = (batch.user == user).nonzero()[:, 0], dataset.histories.of(user).tolist()[:-2]
        taken = batch.following[rows].flatten().tolist()
        assert sorted(filter(None, taken)) == sorted(history), "rows do not hold each item taken once"
        for row in rows.tolist():
            seen = batch.inputs[row][batch.mask[row]].tolist()
            assert seen == history[-len(seen) :], "a row does not see the latest of the training history"
        items = drawn[rows][batch.following[rows] > 0].flatten().tolist()
        assert not set(items) & {0, *history}, "a negative is an item that the user knows"


def check_held_out(dataset: InteractionDataset, name: str) -> None:
    """The history before the item; the item among others that the user never touched; what is excluded."""
    split, rows = dataset.splits[name], _some(dataset.splits[name])
    batch, excluded = split.batch(rows), split.excluded(rows)
    assert batch.candidates is not None, "there are no candidates"
    assert excluded is not None, "nothing is excluded"
    assert tuple(excluded.shape) == (len(rows), dataset.task.vocabulary), "excluded is not (rows, items + 1)"
    questions = [
        _Question(
            dataset.histories.of(row).tolist(),
            batch.inputs[place][batch.mask[place]].tolist(),
            batch.candidates[place].tolist(),
            set(excluded[place].nonzero()[:, 0].tolist()),
        )
        for place, row in enumerate(rows.tolist())
    ]
    _check_place(questions, PLACES[name], split.widest or 0)
    for history, _, (_, *others), _ in questions:
        assert not set(others) & set(history), "a candidate is an item that the user knows"
        assert len(set(others)) == len(others), "a candidate comes twice"
        assert all(1 <= item < dataset.task.vocabulary for item in others), "a candidate is not an item"


def check_causes(split: Split) -> None:
    """The truth is 0 or 1, 0 on padding, and marks something in every history; or there is none."""
    rows = _some(split)
    truth, mask = split.truth(rows), split.scored(rows)
    if truth is None:
        return
    assert truth.shape == mask.shape, "truth and mask differ in shape"
    assert bool(((truth == 0) | (truth == 1)).all()), "truth is not 0 or 1"
    assert not truth[~mask].any(), "padding is marked as true"
    assert bool(truth.any(1).all()), "some item has no cause"


def check_same_interactions(one: InteractionDataset, other: InteractionDataset) -> None:
    """Histories, names, truths and notes are the same."""
    assert one.notes == other.notes, "notes differ"
    pairs = zip(_leaves(one.histories.tensors()), _leaves(other.histories.tensors()), strict=True)
    assert all(torch.equal(a.nan_to_num(-1), b.nan_to_num(-1)) for a, b in pairs), "histories differ"
    assert one.task == other.task, "tasks differ"
    assert (one.ages is None) == (other.ages is None), "only one has ages"
    assert one.ages is None or other.ages is None or torch.equal(one.ages, other.ages), "ages differ"
    for field in ("users", "items", "titles", "all_genres"):
        mine, yours = getattr(one, field), getattr(other, field)
        assert (mine is None) == (yours is None), f"only one has {field}"
        assert mine is None or list(mine) == list(yours), f"{field} differ"
    for name in HELD_OUT:
        rows = torch.arange(len(one.splits[name]))
        mine, yours = one.splits[name].truth(rows), other.splits[name].truth(rows)
        assert (mine is None) == (yours is None), "only one has a truth"
        if mine is not None and yours is not None:
            assert torch.equal(mine, yours), "truths differ"
    drawn = [data.splits["train"].fresh(Member(3), 1, 1, CPU) for data in (one, other)]
    assert all(map(torch.equal, *map(_leaves, drawn))), "the same member draws differently"


class _Question(NamedTuple):
    """A user's whole history, what a model sees of it, the candidates, the items excluded."""

    history: list[int]
    seen: list[int]
    candidates: list[int]
    excluded: set[int]

    def follows(self, back: int) -> bool:
        return (
            self.history[-back] == self.candidates[0] and self.history[:-back][-len(self.seen) :] == self.seen
        )

    def excludes(self, back: int) -> bool:
        return self.excluded == {0, *self.history[:-back]} - {self.candidates[0]}


def _check_place(questions: list[_Question], places: Sequence[int], length: int) -> None:
    """The same place fits every user; where items repeat, one user alone may fit several places."""
    for holds, sentence in (
        (_Question.follows, "the first candidate is not what came after the history"),
        (lambda one, back: len(one.seen) == min(len(one.history) - back, length), "a history is too short"),
        (_Question.excludes, "excluded is not item 0 and the items of the history"),
    ):
        places = [back for back in places if all(holds(one, back) for one in questions)]
        assert places, sentence


def _check_window(batch: Batch, row: int, history: list[int]) -> None:
    assert batch.following is not None, "the batch does not say what follows"
    inside = batch.mask[row]
    seen, after = batch.inputs[row][inside].tolist(), batch.following[row][inside].tolist()
    whole = [*seen, after[-1]]
    assert seen[1:] == after[:-1], "what follows is not the next item"
    starts = range(len(history) - len(whole) + 1)
    assert any(history[start : start + len(whole)] == whole for start in starts), (
        "a window is not part of the training history"
    )
    assert len(seen) == min(len(history) - 1, batch.mask.shape[1]), "a window is too short"
    negatives = _negatives(batch)[row][inside].flatten().tolist()
    assert not set(negatives) & {0, *history}, "a negative is an item that the user knows"


def _negatives(batch: Batch) -> Tensor:
    assert batch.negatives is not None, "there are no negatives"
    return batch.negatives


def _leaves(tree: object) -> list[Tensor]:
    return list(pytree.tree_leaves(tree))


def _some(split: Split) -> Tensor:
    return torch.arange(0, len(split), -(-len(split) // SOME))
