"""SEAT's Definition 2: the numbers beside naive ones, found by ascent and by random search."""

import pytest
import torch
from torch.func import vmap

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Edit, Member
from holdfast.measure.certificate import (
    Certificate,
    Definition,
    certificate,
    certified,
    points,
    quantiles,
    stable_radius,
)
from holdfast.models.run import Run
from holdfast.models.text.cnn import Cnn
from holdfast.repair.ball import Ball
from holdfast.train.family import Family
from holdfast.train.job import stack
from tests.reference import adversaries
from tests.repair.attacked import attacked

DRAWN = torch.rand(5, 2, generator=torch.Generator().manual_seed(2))
ASKED = Definition(Ball(0.3, steps=4), trials=7, k=2)


def pair(**changes):
    """A member and its teacher: the same network, other weights."""
    own = attacked(**changes)
    teacher = Run(own.run.model, {name: 0.5 * tensor for name, tensor in own.run.parameters.items()})
    return own, teacher


def by_hand(own, teacher, row, drawn, trials=7):
    """γ, β, and both α of one text."""
    one, exists = own.alone(row), own.batch.mask[row]
    clean, vanilla = own.run(one), teacher(one)

    def harm(delta):
        whole = torch.zeros(len(exists), dtype=torch.float64).masked_scatter(exists, delta)
        moved = own.run(one, Edit(attention=lambda w, site: w + whole)).logits[0].log_softmax(-1)
        target = clean.logits[0].softmax(-1)
        return -sum(target[c] * moved[c] for c in range(len(target)))

    def point(turn):
        found = adversaries.inside(*drawn[row].tolist(), exists.tolist(), 0.3, "l2", turn)
        return [x for x, e in zip(found, exists.tolist(), strict=True) if e]

    way = adversaries.ascent(harm, point(0), 0.3, "l2", 4, 2.5 * 0.3 / 4)
    tops = [adversaries.in_top(t.attention[0][0][exists].tolist(), 2) for t in (clean, vanilla)]
    logits = vanilla.logits[0].tolist(), clean.logits[0].tolist()
    gamma, ascent, chance = (
        adversaries.cross_entropy(*logits),
        max(float(harm(torch.tensor(delta, dtype=torch.float64))) for delta in way),
        max(float(harm(torch.tensor(point(turn), dtype=torch.float64))) for turn in range(1, trials + 1)),
    )
    sure = adversaries.cross_entropy(logits[1], logits[1])
    beta = len(tops[0] & tops[1]) / max(map(len, tops)) if any(tops) else 1.0
    about = gamma, gamma - adversaries.cross_entropy(logits[0], logits[0]), beta
    return *about, ascent, ascent - sure, chance, chance - sure


def test_the_definition():
    own, teacher = pair()
    drawn = points(own.batch)
    found = certificate(own.run, teacher, own.batch, drawn, ASKED)
    for row in range(len(own.batch) - 1):  # the last has no word
        expected = by_hand(own, teacher, row, drawn)
        assert [float(values[row]) for values in found] == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_against_itself_nothing_differs():
    own, _ = pair()
    found = certificate(own.run, own.run, own.batch, DRAWN, ASKED)
    torch.testing.assert_close(found.gamma_kl, torch.zeros(5, dtype=torch.float64))
    assert found.beta.tolist() == [1.0] * 5
    assert (found.alpha_kl >= -1e-12).all()
    assert (found.ascent[:3] > found.random[:3]).all()


def test_where_random_search_finds_more_the_worst_case_is_that():
    low, high = torch.tensor([0.1, 0.4]), torch.tensor([0.3, 0.2])
    one = Certificate(*[torch.zeros(2)] * 7)._replace(ascent_kl=low, random_kl=high)
    assert one.alpha_kl.tolist() == torch.tensor([0.3, 0.4]).tolist()


def test_every_random_point_that_is_asked_for_is_tried():
    own, teacher = pair()
    counts = [
        certificate(own.run, teacher, own.batch, DRAWN, Definition(ASKED.ball, trials=n, k=2))
        for n in range(1, 40)
    ]
    naive = [by_hand(own, teacher, 0, DRAWN, trials=n)[5] for n in range(1, 40)]
    assert [float(found.random[0]) for found in counts] == pytest.approx(naive, rel=1e-6)
    assert len(set(naive)) > 2


def test_a_larger_ball_holds_worse_points():
    own, teacher = pair()
    small, large = (certificate(own.run, teacher, own.batch, DRAWN, Definition(Ball(r))) for r in (0.1, 0.5))
    assert (large.alpha_kl[:3] > small.alpha_kl[:3]).all()


def test_an_example_depends_on_no_other_and_members_are_mapped():
    own, teacher = pair()
    other = {name: tensor + 0.1 for name, tensor in own.run.parameters.items()}
    both = stack([own.run.parameters, other])
    given = stack([teacher.parameters, teacher.parameters])
    model = own.run.model
    mapped = vmap(lambda p, q: certificate(Run(model, p), Run(model, q), own.batch, DRAWN, ASKED))(
        both, given
    )
    alone = certificate(Run(model, other), teacher, own.alone(1), DRAWN[1:2], ASKED)
    for many, one in zip(mapped, alone, strict=True):
        torch.testing.assert_close(many[1, 1:2], one)


def test_of_a_family(planted):
    members, rows = (Member(0), Member(1)), torch.tensor([3, 0, 7])
    family = Family.init(Cnn(filters=4, dim=8), planted.task, members)
    teachers = Family.init(Cnn(filters=4, dim=8), planted.task, (Member(2), Member(3)))
    found = certified(family, teachers, planted.splits["test"], rows, ASKED)
    assert found.gamma.shape == (2, 3)
    one = planted.splits["test"].batch(rows[2:])
    alone = certificate(family.run(1), teachers.run(1), one, points(one), ASKED)
    for values, expected in zip(found, alone, strict=True):
        assert float(values[1, 2]) == pytest.approx(float(expected), rel=1e-4, abs=1e-6)


def test_quantiles_are_over_all_members_and_examples():
    values = torch.arange(6.0).view(2, 3)
    found = quantiles(Certificate(*[values] * 7), (0.0, 0.5, 1.0))
    assert found["ascent_kl"].tolist() == [0.0, 2.5, 5.0]
    assert found["alpha_kl"].tolist() == [0.0, 2.5, 5.0]
    assert list(found) == [*Certificate._fields, "alpha_kl"]


def test_the_radius_that_is_achieved_is_the_largest_before_the_first_failure():
    worst = torch.tensor([[0.1, 0.1, 0.9], [0.1, 0.9, 0.1], [0.1, 0.1, 0.1]])
    radii = torch.tensor([0.1, 0.2, 0.4])
    assert stable_radius(worst, radii, 0.5).tolist() == pytest.approx([0.4, 0.1, 0.0])


def test_a_batch_without_names_is_refused():
    with pytest.raises(BadSetting) as error:
        points(Batch(torch.ones(1, 2), torch.ones(1, 2, dtype=torch.bool)))
    assert str(error.value) == ("certificate: expected a batch whose rows are named (rows), but got none")


@pytest.mark.parametrize("field", ["trials", "k"])
def test_bad_settings(field):
    with pytest.raises(BadSetting) as error:
        Definition(**{field: 0})
    assert str(error.value) == f"certificate: expected {field} of at least 1, but got 0"
    with pytest.raises(BadSetting) as error:
        Definition(Ball(radius=0.0))
    assert str(error.value) == "certificate: expected radius above 0, but got 0.0"
