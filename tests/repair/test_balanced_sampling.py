"""Rows drawn so that classes come equally often: alone, together, resumed, of folds and of pairs."""

import random

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.data.base import Task
from holdfast.data.source import Source, load
from holdfast.repair.balanced_sampling import BalancedSampling
from holdfast.train.checkpoint import Checkpoint
from holdfast.train.composed import Composed
from holdfast.train.family import Family, template
from holdfast.train.loop import Loop, train
from tests.train.cases import MEMBERS, assert_same, both, doubles, fit_of, only
from tests.train.linear import digits
from tests.train.test_checkpoint import Killed, kill_after

REPAIR = BalancedSampling()
AVERAGE, DEEPICF = "average:hidden=4,dim=8", "deepicf:dim=4,hidden=3,layers=5"


@pytest.fixture(scope="module")
def lopsided(tmp_path_factory):
    """Four hundred reviews, one in ten of them good; one word of each tells."""
    rng, lines = random.Random(0), ["text,label"]
    for _ in range(400):
        good = rng.random() < 0.1
        words = [
            rng.choice(["the", "a", "film", "plot", "cast", "scene", "story", "music"]) for _ in range(6)
        ]
        words[rng.randrange(6)] = rng.choice(["grand", "superb"] if good else ["awful", "dull"])
        lines.append(" ".join(words) + (",good" if good else ",bad"))
    path = tmp_path_factory.mktemp("lopsided") / "reviews.csv"
    path.write_text("\n".join(lines))
    return load(Source(str(path), text="text", label="label"))


def recall(dataset, repair):
    """The share of the rare class that three members find."""
    fit = fit_of("adam:lr=0.01", epochs=6, batch=16, patience=6)
    family = Family.fit(make("models", "average:hidden=8,dim=16"), dataset, MEMBERS, fit, repair)
    test = dataset.splits["test"]
    rare = test.targets == 1
    return float((family.logits(test).argmax(-1)[:, rare] == 1).double().mean())


def test_a_rare_class_is_found(lopsided):
    assert recall(lopsided, make("repairs", "none")) < 0.1
    assert recall(lopsided, REPAIR) > 0.8


def test_members_train_together_as_each_does_alone(lopsided):
    assert_same(*both(AVERAGE, lopsided, fit_of(epochs=2), REPAIR))


@pytest.mark.parametrize("members", [1, 3])
def test_a_killed_training_goes_on_bit_for_bit(lopsided, tmp_path, members):
    start = {name: tensor[:members] for name, tensor in doubles(AVERAGE, lopsided.task).items()}
    arguments = (template(make("models", AVERAGE), lopsided.task), start, lopsided, MEMBERS[:members])
    whole = train(*arguments, fit_of(epochs=3), REPAIR)
    kept = Checkpoint(tmp_path / "chunk.safetensors", seconds=0.0)
    with pytest.raises(Killed):
        train(*arguments, fit_of(epochs=3), REPAIR, listen=kill_after(1), checkpoint=kept)
    resumed = train(*arguments, fit_of(epochs=3), REPAIR, checkpoint=Checkpoint(kept.path, seconds=0.0))
    for one, other in zip(whole, resumed, strict=True):
        assert all(torch.equal(tensor, other.parameters[name]) for name, tensor in one.parameters.items())


def test_folds_train_together_as_each_does_alone():
    folds = tuple(Member(0, fold) for fold in range(3))
    assert_same(*both("shallow", digits(), fit_of(epochs=1, batch=100), REPAIR, members=folds))


def loop_of(dataset, model, repair, members=1):
    """A loop that has not begun."""
    network = template(make("models", model), dataset.task)
    start = {name: tensor[:members] for name, tensor in doubles(model, dataset.task).items()}
    return Loop(network, start, dataset, MEMBERS[:members], fit_of(batch=8), repair)


@pytest.mark.parametrize("model", [DEEPICF, "fism:dim=4", "gmf:dim=4", "ncf:dim=4,layers=3", "neumf:dim=4"])
def test_pairs_have_one_negative_for_each_item(plays, model):
    plain, balanced = (loop_of(plays, model, repair).data for repair in (make("repairs", "none"), REPAIR))
    assert [part.shape[-1] for part in plain.negatives] == [4] * len(plain.negatives)
    assert [part.shape[-1] for part in balanced.negatives] == [1] * len(plain.negatives)
    taken = sum(int((bucket.following > 0).sum()) for bucket in balanced.buckets)
    assert sum(int((part > 0).sum()) for part in balanced.negatives) == taken
    sizes = [[part.size for part in loop_of(plays, model, REPAIR).parts], [len(b) for b in plain.buckets]]
    assert sizes[0] == sizes[1], "every row is taken once"


def test_models_of_pairs_train_together_as_each_does_alone(plays):
    together, alone = both(DEEPICF, plays, fit_of(epochs=1, batch=16), REPAIR)
    assert_same(together, alone)
    start = only(doubles(DEEPICF, plays.task), 0)
    network = template(make("models", DEEPICF), plays.task)
    one = "deepicf:dim=4,hidden=3,layers=5,negatives=1"
    (by_hand,) = train(
        template(make("models", one), plays.task), start, plays, MEMBERS[:1], fit_of(epochs=1, batch=16),
        make("repairs", "none"),
    )  # fmt: skip
    (found,) = train(network, start, plays, MEMBERS[:1], fit_of(epochs=1, batch=16), REPAIR)
    for name, tensor in by_hand.parameters.items():
        assert torch.equal(tensor, found.parameters[name]), name


def test_a_class_without_examples_has_no_chance():
    chances = REPAIR.chances(Task(0, ("a", "b", "c"), counts=(6, 3, 0)))
    assert chances == (pytest.approx(1 / 12), pytest.approx(1 / 6), 0.0)


def test_it_goes_with_an_average(lopsided):
    joined = make("repairs", "balanced_sampling+aswa")
    task = Task(0, ("no", "yes"), counts=(30, 10))
    assert joined.chances(task) == REPAIR.chances(task)
    assert (joined.negatives(4), joined.balances) == (1, True)
    assert_same(*both(AVERAGE, lopsided, fit_of(epochs=1), joined))


def test_two_that_balance_are_refused():
    with pytest.raises(BadSetting) as error:
        make("repairs", "balanced_sampling+class_balanced")
    assert str(error.value) == (
        "balanced_sampling+class_balanced: expected one repair at most that balances the classes, but got "
        "balanced_sampling and class_balanced"
    )


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (
            Task(12, (), length=5),
            "balanced_sampling: expected classes with known counts, but these data have none: leave it out",
        ),
        (
            Task(12, (), length=5, counts=(3, 40, 7)),
            "balanced_sampling: expected pairs of two classes, taken or not, but head=three has three: "
            "choose class_balanced, or head=two",
        ),
    ],
)
def test_what_it_cannot_balance_is_refused(task, message):
    with pytest.raises(BadSetting) as error:
        REPAIR.begin({"w": torch.zeros(1)}, task)
    assert str(error.value) == message
    with pytest.raises(BadSetting):
        Composed((REPAIR, make("repairs", "aswa"))).begin({"w": torch.zeros(1)}, task)
