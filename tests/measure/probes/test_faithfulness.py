import itertools
import math

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.explain.leave_one_out import LeaveOneOut
from holdfast.measure.probes import faithfulness as module
from holdfast.measure.probes.deletion import Deletion, aopc
from holdfast.measure.probes.faithfulness import curves, random_curves
from tests.measure.probes.cases import PIXELS, Images, family, relevance

PROBE = Deletion(patch=1, steps=6, of="evidence")


@pytest.fixture
def case():
    split = Images(40)
    rows = torch.arange(40).flip(0)
    return family(), PROBE, split, rows, split.targets[rows]


def true_scores(case):
    whole, _, split, rows, _ = case
    batch = split.batch(rows)
    return torch.stack([relevance(weight, batch) for weight in whole.parameters["weight"]])


def test_each_curve_is_the_probes_own(case):
    whole, probe, split, rows, target = case
    scores = true_scores(case)
    together, batch = curves(*case, scores), split.batch(rows)
    for m in range(3):
        alone = probe.curve(whole.run(m), batch, probe.parts(batch, scores[m]), target)
        assert torch.allclose(together[m], alone)


def test_small_batches_and_mapping_change_nothing(case, monkeypatch):
    whole, probe, split, rows, target = case
    scores = true_scores(case)
    whole_curves, chance = curves(*case, scores), random_curves(*case, copies=2)
    real = module.batches
    monkeypatch.setattr(module, "batches", lambda split, rows: real(split, rows, 9))
    assert torch.allclose(curves(*case, scores), whole_curves)
    assert torch.allclose(random_curves(*case, copies=2), chance)
    batch = split.batch(rows)
    parts = probe.parts(batch, scores)
    mapped = module._each(whole.model, whole.parameters, probe, batch, parts, target, stacked=True)
    assert torch.allclose(mapped, whole_curves)


def gain(case, scores):
    """AOPC beyond that of random orders, per member."""
    return (aopc(curves(*case, scores)) - aopc(random_curves(*case))).mean(1)


def test_true_relevance_beats_chance_and_noise_does_not(case):
    gains = gain(case, true_scores(case))
    assert (gains > 0).all()
    assert (gain(case, -true_scores(case)) < 0).all()
    noise = torch.rand(3, 40, PIXELS, generator=torch.Generator().manual_seed(0))
    assert abs(gain(case, noise).mean()) < gains.mean() / 10


def test_scores_that_are_all_the_same_go_in_random_order(case):
    same = curves(*case, torch.zeros(3, 40, PIXELS))
    assert torch.equal(same, random_curves(*case, copies=1))


def test_random_orders_are_fair(case):
    """Each pixel is as likely as any other to go first: on average it takes the mean relevance with it."""
    whole, probe, *_ = case
    many = torch.zeros(2000, dtype=torch.long)
    rows = torch.arange(2000)

    class Same(Images):
        def batch(self, rows, length=None):
            batch = super().batch(many[: len(rows)])
            return type(batch)(batch.inputs, batch.mask, batch.targets, rows=rows)

        @property
        def lengths(self):
            return torch.full((2000,), 3)

    same = Same(1)
    target = same.targets.expand(2000)
    curve = curves(whole, probe, same, rows, target, None)
    drop = curve[0, :, 0] - curve[0, :, 1]
    each = relevance(whole.parameters["weight"][0], same.batch(rows[:1]))[0]
    assert drop.mean().item() == pytest.approx(each.mean().item(), abs=4 * each.std().item() / 2000**0.5)


def test_the_order_of_a_row_is_its_own(case):
    whole, probe, split, rows, target = case
    chance = random_curves(*case)
    some = random_curves(whole, probe, split, rows[7:9], target[7:9])
    assert torch.allclose(some, chance[:, 7:9])
    last = random_curves(whole.select(whole.members[2:]), probe, split, rows, target)
    assert torch.allclose(last[0], chance[2])


@pytest.mark.parametrize("patch", [1, 2, 4])
def test_every_member_and_copy_draws_an_order_of_its_own(patch):
    """Of 24 pixels, of 6 patches, of 2: in as many rows as chance has it two orders are the same."""
    split, rows = Images(400), torch.arange(400)
    probe, batch = Deletion(patch=patch), split.batch(rows)
    members = (Member(0), Member(1), Member(0, 4))
    orders = torch.cat([module._parts(probe, batch, None, members, copy) for copy in range(3)])
    chance = 1 / math.factorial(orders.shape[-1])
    within = 4 * math.sqrt(chance * (1 - chance) / 400)
    for one, other in itertools.combinations(orders, 2):
        assert (one == other).all(-1).double().mean().item() == pytest.approx(chance, abs=within)


def test_holes_and_padding_change_no_order():
    """Places are counted among the parts that exist, on whichever side the others are."""
    rows, member = torch.tensor([3, 900]), Member(2)
    whole = module._drawn(torch.ones(2, 5, dtype=torch.bool), rows, member, 1)
    left = torch.tensor([False, False, True, True, False, True, True, True]).expand(2, 8)
    assert torch.equal(module._drawn(left, rows, member, 1)[left].view(2, 5), whole)


def test_words_are_deleted_as_holes(family, planted):
    split, rows = planted.splits["test"], torch.arange(20)
    target = split.targets[rows]
    scores = family.explain(LeaveOneOut(), split, rows, target).scores
    case = (family, make("probes", "deletion:fill=hole,steps=3"), split, rows, target)
    measured = curves(*case, scores)
    assert measured.shape == (len(family), 20, 4)
    assert measured.isfinite().all()
    assert gain(case, scores).mean() > 0
    first = family.logits(split, rows).softmax(-1).gather(-1, target.expand(len(family), 20)[..., None])
    assert torch.allclose(measured[..., 0], first[..., 0], atol=1e-6)


def test_scores_of_others_are_refused(case):
    message = r"^expected scores of 3 members for 40 examples, but got shape \(2, 40, 24\)$"
    with pytest.raises(BadSetting, match=message):
        curves(*case, torch.zeros(2, 40, PIXELS))
    with pytest.raises(BadSetting, match=r"^expected copies of at least 1, but got 0$"):
        random_curves(*case, copies=0)
