"""The suite sees what is wrong with interactions."""

from dataclasses import replace

import pytest
import torch

from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.data.interaction.held_out import Holdout, held_out
from holdfast.data.interaction.splits import HeldOut, Windows
from holdfast.data.names import Names
from holdfast.data.source import Source, load
from holdfast.testing.dataset import check_dataset
from holdfast.testing.interaction import (
    check_alignment,
    check_causes,
    check_held_out,
    check_interactions,
    check_items,
    check_names,
    check_same_interactions,
    check_train,
)
from tests.data.histories import named


@pytest.fixture(scope="module")
def data() -> InteractionDataset:
    return load(Source("planted-plays:users=40"))


def changed(data: InteractionDataset, name: str, split: object) -> InteractionDataset:
    return replace(data, splits={**data.splits, name: split})


def test_good_ones_pass(data: InteractionDataset) -> None:
    check_interactions(data)
    check_same_interactions(data, data)
    check_dataset(data)


class Leaky(Windows):
    def fresh(self, member, epoch, negatives, device):
        batch = super().fresh(member, epoch, negatives, device)
        last = self.histories.ids[self.histories.ends - 1].long()
        return replace(batch, following=batch.following.index_fill(1, torch.tensor([11]), int(last[0])))


class Frozen(Windows):
    def fresh(self, member, epoch, negatives, device):
        return super().fresh(member, 1, negatives, device)


class Known(Windows):
    def fresh(self, member, epoch, negatives, device):
        batch = super().fresh(member, epoch, negatives, device)
        return (
            batch
            if not negatives
            else replace(batch, negatives=batch.negatives.copy_(batch.following[..., None]))
        )


@pytest.mark.parametrize(
    ("cls", "sentence"),
    [
        (Leaky, "a window is not part of the training history"),
        (Frozen, "another member or epoch has the same draws"),
        (Known, "another member or epoch has the same draws|a negative is an item that the user knows"),
    ],
)
def test_training_rows_that_are_wrong_are_seen(data: InteractionDataset, cls: type, sentence: str) -> None:
    train = data.splits["train"]
    wrong = cls(train.histories, train.items, train.length, train.samples)
    with pytest.raises(AssertionError, match=sentence):
        check_train(changed(data, "train", wrong))


def test_candidates_that_are_known_are_seen(data: InteractionDataset) -> None:
    test = data.splits["test"]
    for candidates, sentence in (
        (test.candidates.flip(1), "the first candidate is not what came after the history"),
        (test.candidates[:, [0, 1, 1]], "a candidate comes twice"),
        (
            test.candidates.index_copy(
                1, torch.tensor([1]), test.histories.ids[test.histories.starts][:, None]
            ),
            "knows",
        ),
    ):
        with pytest.raises(AssertionError, match=sentence):
            check_held_out(changed(data, "test", replace(test, candidates=candidates)), "test")


def test_another_place_is_seen(data: InteractionDataset) -> None:
    """Validation asks for the last but one, or early stopping would have seen the test."""
    with pytest.raises(AssertionError, match="the first candidate is not what came after the history"):
        check_held_out(changed(data, "validation", data.splits["test"]), "validation")
    check_held_out(changed(data, "test", data.splits["validation"]), "test")


def repeating(length: int = 9) -> InteractionDataset:
    return held_out("x", named([[1, 1, 1], [1, 1, 1, 1], [1, 2, 1, 2, 2]], 9), Holdout(length, samples=1))


class Short(HeldOut):
    def batch(self, rows, length=None):
        batch = super().batch(rows, length)
        return replace(batch, mask=batch.mask & (batch.mask.cumsum(1) > 1))


class Mixed(HeldOut):
    """Asks every second user for the item before."""

    def _part(self, rows):
        low, high = super()._part(rows)
        return low, high - rows % 2


def test_one_place_for_all(data: InteractionDataset) -> None:
    test, rows = data.splits["test"], torch.arange(40)
    last = test.histories.ends - 1 - rows % 2
    candidates = torch.cat([test.histories.ids[last][:, None], test.candidates[:, 1:]], 1)
    mixed = Mixed(test.histories, candidates, test.items, test.length, 1)
    with pytest.raises(AssertionError, match="the first candidate is not what came after the history"):
        check_held_out(changed(data, "test", mixed), "test")


def test_repeated_items_fit_several_places_and_still_one_must_do() -> None:
    check_dataset(repeating())
    check_dataset(repeating(length=2))
    test = repeating().splits["test"]
    for cls, sentence in (
        (Short, "a history is too short"),
        (Forgetful, "excluded is not item 0 and the items of the history"),
    ):
        wrong = cls(test.histories, test.candidates, test.items, test.length, test.back)
        with pytest.raises(AssertionError, match=sentence):
            check_held_out(changed(repeating(), "test", wrong), "test")


class Shifted(HeldOut):
    def batch(self, rows, length=None):
        batch = super().batch(rows, length)
        return batch.map(lambda t: t.roll(-1, 1) if t.shape[1:] == batch.mask.shape[1:] else t)


class Forgetful(HeldOut):
    def excluded(self, rows):
        return torch.zeros_like(super().excluded(rows))


def test_other_layouts_are_seen(data: InteractionDataset) -> None:
    test = data.splits["test"]
    fields = (test.histories, test.candidates, test.items, 40, test.back)
    with pytest.raises(AssertionError, match="does not end in the last column"):
        check_alignment(Shifted(*fields))
    forgetful = Forgetful(test.histories, test.candidates, test.items, test.length, test.back)
    with pytest.raises(AssertionError, match="excluded is not item 0 and the items of the history"):
        check_held_out(changed(data, "test", forgetful), "test")
    with pytest.raises(AssertionError, match="batches may be wider than the task's length"):
        check_items(changed(data, "test", replace(test, length=5)))


def test_causes_that_are_none_are_seen(data: InteractionDataset) -> None:
    test = data.splits["test"]
    with pytest.raises(AssertionError, match="some item has no cause"):
        check_causes(replace(test, causes=torch.zeros_like(test.causes)))


def test_names_that_are_missing_are_seen(data: InteractionDataset) -> None:
    with pytest.raises(AssertionError, match="users and histories differ in number"):
        check_names(replace(data, users=Names.of("ab")))
    with pytest.raises(AssertionError, match="a user's name leads to another"):
        check_names(replace(data, users=Names.of(["same"] * 40)))
    other = replace(load(Source("planted-plays:users=40,seed=1")), notes=data.notes)
    with pytest.raises(AssertionError, match="histories differ"):
        check_same_interactions(data, other)
