"""Members that are folds: each trains on its own rows, and on nothing else."""

from dataclasses import replace

import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.data.image.dataset import ImageDataset, ImageSplit
from holdfast.data.source import Source, load
from holdfast.train.evaluate import logits, seen
from holdfast.train.family import Family, initial, template
from holdfast.train.fit import Fit
from holdfast.train.folds import own_rows
from holdfast.train.job import stack
from holdfast.train.loop import train
from holdfast.train.repair import Nothing
from holdfast.train.schedule import buckets, schedule
from tests.train.cases import assert_same, only
from tests.train.linear import Linear, digits, without

FOLDS = tuple(Member(0, fold) for fold in range(3))
FIT = Fit(epochs=2, batch=50)


@pytest.fixture(scope="module")
def data() -> ImageDataset:
    return digits()


def start(data, members=FOLDS, double=True):
    first = stack([initial(Linear(), data.task, member) for member in members])
    return {name: tensor.double() for name, tensor in first.items()} if double else first


def trained(data, members=FOLDS, first=None):
    first = start(data, members) if first is None else first
    return train(template(Linear(), data.task), first, data, members, FIT, Nothing())


def test_together_is_alone(data):
    first = start(data)
    together = trained(data, first=first)
    alone = [trained(data, (member,), only(first, m))[0] for m, member in enumerate(FOLDS)]
    assert_same(together, alone)
    weights = [one.parameters["head.weight"] for one in together]
    assert not torch.allclose(weights[0], weights[1]), "the members are all the same"


@pytest.mark.parametrize("member", [*FOLDS, Member(0)])
def test_a_member_never_touches_what_is_held_from_it(data, member):
    split = data.splits["train"]
    plain = trained(data, (member,))
    for rows, same in ((split.held(member), True), (split.trains(member), False)):
        painted = replace(split, images=without(data, split, rows, 7))
        other = trained(replace(data, splits={**data.splits, "train": painted}), (member,))
        weights = [one[0].parameters["head.weight"] for one in (plain, other)]
        assert torch.equal(*weights) == same


def test_every_row_of_its_own_is_taken_once_an_epoch(data):
    split = data.splits["train"]
    rows = own_rows(split, FOLDS)
    parts = buckets(split.lengths[rows[0]], 32, split.padded)
    steps = list(schedule(parts, 32, FOLDS, 1, rows))
    for m, member in enumerate(FOLDS):
        taken = torch.cat([step.index[m][step.weight[m] > 0] for step in steps])
        assert taken.sort().values.tolist() == split.trains(member).tolist()


def test_a_member_without_folds_trains_on_the_published_part(data):
    """As if the other rows were not there."""
    split = data.splits["train"]
    rows = split.trains(Member(4))
    fewer = replace(
        split,
        blocks=split.blocks[rows],
        classes=split.classes[rows],
        majority=split.majority[rows],
        fold=None,
        published=None,
    )
    small = replace(data, splits={**data.splits, "train": fewer})
    assert_same(trained(data, (Member(4),)), trained(small, (Member(4),)))


def test_strips_are_never_padded():
    for steps in (1, 2):
        lengths = load(Source(f"digits:steps={steps}")).splits["test"].lengths
        assert [part.length for part in buckets(lengths, 32, padded=False)] == [steps]


def test_seeds_and_folds_can_be_one_family(data):
    members = (Member(0), Member(1), Member(0, 1))
    rows = own_rows(data.splits["train"], members)
    assert rows.shape == (3, 220)
    assert torch.equal(rows[0], rows[1])
    assert bool(data.splits["train"].published[rows[0]].all())
    with pytest.raises(BadSetting, match=r"^seed 0, fold 3: expected a fold from 0 to 2$"):
        own_rows(data.splits["train"], (Member(0, 3),))


class Uneven(ImageSplit):
    """A member's seed is how many rows it has; seed 0 takes all."""

    def trains(self, member):
        return torch.arange(member.seed) if member.seed else None


@pytest.mark.parametrize(("seeds", "got"), [((3, 4), "3 and 4"), ((0, 4), "4")])
def test_members_with_other_numbers_of_rows_are_refused(data, seeds, got):
    split = data.splits["train"]
    uneven = Uneven(split.images, split.blocks, split.classes, split.steps, split.top)
    sentence = rf"^expected members to train on as many rows each, .* but got {got} rows: train folds and"
    with pytest.raises(BadSetting, match=sentence):
        own_rows(uneven, tuple(map(Member, seeds)))


def test_held_rows_are_seen_after_training(data):
    family = Family.fit(Linear(), data, FOLDS, FIT)
    split = data.splits["train"]
    for m, member in enumerate(FOLDS):
        parameters = {name: tensor[m] for name, tensor in family.parameters.items()}
        found = seen(family.model, parameters, data, member)
        every = logits(family.model, parameters, split)
        assert sorted(found) == ["logits/held", "logits/test", "logits/validation"]
        torch.testing.assert_close(found["logits/held"], every[split.held(member)])
    plain = seen(family.model, parameters, digits("limit=100"), Member(0))
    assert sorted(plain) == ["logits/test", "logits/validation"]
