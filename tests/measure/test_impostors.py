from dataclasses import replace

import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.measure.impostors import AnotherInput, Shuffled, UntrainedOrder, partners
from tests.measure.builders import explanation, random_explanation
from tests.reference import hold as reference


def untrained(given, draws=2, seed=3):
    scores = torch.randn(draws, *given.mask.shape, generator=torch.Generator().manual_seed(seed))
    return UntrainedOrder(scores)


def impostors(given):
    return [Shuffled(), AnotherInput(), AnotherInput(aligned="last"), untrained(given)]


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("signed", [False, True])
def test_every_impostor_keeps_its_promises(number, signed):
    """Values of a real member, nothing outside the mask, inputs untouched, the same again each time."""
    given = random_explanation(signed=signed)
    before = given.scores.clone()
    impostor = impostors(given)[number]
    for copy in impostor.copies(given, torch.arange(len(given.mask))):
        assert copy.scores.shape == given.scores.shape
        assert (copy.scores[:, ~given.mask] == 0).all()
        assert copy.scores.isfinite().all()
        for m, k in ((0, 1), (2, 3)):
            real = given.scores[m].flatten().tolist() if number in (1, 2) else given.scores[m, k].tolist()
            assert set(copy.scores[m, k][given.mask[k]].tolist()) <= set(real)
    first, again = impostor.distances(given), impostor.distances(given)
    assert torch.equal(first.pairs.values, again.pairs.values)
    assert ((first.pairs.values >= 0) & (first.pairs.values <= 1)).all()
    assert (first.pairs.values[:, ~first.known] == 0).all()
    assert torch.equal(given.scores, before)


@pytest.mark.parametrize("number", range(4))
def test_distances_are_between_one_member_and_the_copy_of_the_other(number):
    given = random_explanation(signed=True)
    impostor = impostors(given)[number]
    table = impostor.distances(given)
    copies = list(impostor.copies(given, torch.arange(len(given.mask))))
    for p, (i, j) in enumerate(zip(table.pairs.left.tolist(), table.pairs.right.tolist(), strict=True)):
        for k in range(len(given.mask)):
            valid = given.mask[k]

            def far(a, b, copy, k=k, valid=valid):
                real, fake = given.scores[a, k][valid].tolist(), copy.scores[b, k][valid].tolist()
                return reference.tvd(real, fake, signed=True)

            each = [(far(i, j, copy) + far(j, i, copy)) / 2 for copy in copies if copy.known[k]]
            expected = sum(each) / len(each) if each else 0.0
            assert table.pairs.values[p, k].item() == pytest.approx(expected, abs=1e-6)


def test_shuffling_two_or_three_positions_always_moves_something():
    given = explanation([[[1.0, 2.0, 0.0], [1.0, 2.0, 4.0]], [[1.0, 2.0, 0.0], [1.0, 2.0, 4.0]]])
    given.mask[0, 2] = False
    for copy in Shuffled().copies(given, torch.tensor([0, 1])):
        assert copy.scores[0, 0].tolist() == [2.0, 1.0, 0.0]
        assert copy.scores[0, 1].tolist() != [1.0, 2.0, 4.0]


def test_one_position_has_no_impostor():
    given = explanation([[[1.0, 0.0]], [[1.0, 0.0]]])
    given.mask[0, 1] = False
    assert not any(impostor.distances(given).known.any() for impostor in impostors(given))


def test_partners_have_the_same_length_and_class_or_nearly():
    length = torch.tensor([10, 10, 10, 12, 20, 20, 3])
    kinds = torch.tensor([0, 0, 1, 0, 0, 0, 0])
    table = torch.stack(partners(length, kinds, torch.arange(7)))
    for i, own in enumerate(table.T.tolist()):
        some = [p for p in own if p >= 0]
        assert i not in some
        assert len(set(some)) == len(some)
        assert all(kinds[p] == kinds[i] for p in some)
    assert sorted(table[:, 0].tolist()) == [-1, -1, -1, 1], "the same length comes before the nearest"
    assert set(table[:, 3].tolist()) == {-1, 0, 1}, "within a fifth"
    assert table[:, 2].max() == -1, "no other input of its class is as long"
    assert table[:, 6].max() == -1, "none is near"


def test_a_shorter_history_is_aligned_at_its_last_item():
    scores = torch.tensor([[[0.0, 0.0, 1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0, 50.0, 0.0]]]).repeat(
        2, 1, 1
    )
    given = explanation(scores.tolist())
    given.mask[:] = scores[0] > 0
    given.mask[0, :2] = False
    copy = next(iter(AnotherInput(aligned="last").copies(given, torch.arange(2))))
    assert copy.scores[0, 0].tolist() == [0.0, 0.0, 20.0, 30.0, 40.0, 50.0]
    assert copy.scores[0, 1].tolist() == [1.0, 1.0, 2.0, 3.0, 4.0, 0.0], "its first item stands in"
    copy = next(iter(AnotherInput().copies(given, torch.arange(2))))
    assert copy.scores[0, 0].tolist() == [0.0, 0.0, 10.0, 20.0, 30.0, 40.0], "by relative place"


def test_untrained_order_sorts_a_members_values():
    given = random_explanation(signed=True)
    impostor = untrained(given, draws=1)
    (copy,) = impostor.copies(given, torch.arange(len(given.mask)))
    for m in range(len(given.members)):
        for k, valid in enumerate(given.mask):
            values, order = given.scores[m, k][valid].tolist(), impostor.scores[0, k][valid].tolist()
            expected = reference.ordered_like(values, order)
            assert copy.scores[m, k][valid].tolist() == expected


def test_equal_untrained_scores_are_in_random_order():
    given = explanation([[[3.0, 2.0, 1.0]] * 200] * 2)
    flat = UntrainedOrder(torch.ones(1, 200, 3))
    (copy,) = flat.copies(given, torch.arange(200))
    share = (copy.scores[0] == 3.0).double().mean(0)
    assert (share - 1 / 3).abs().max() < 0.1


@pytest.mark.parametrize(("rule", "kinds"), [("always", 3), ("common", 3), ("never", 1)])
def test_only_inputs_of_the_same_class_stand_in_where_that_is_asked(rule, kinds):
    """Two classes of twenty inputs, and one of three, which is not common."""
    target = torch.tensor([0] * 20 + [1] * 20 + [2] * 3)
    given = replace(random_explanation(members=2, examples=43), target=target)
    given.mask[:] = True
    scores = torch.arange(43.0)[:, None].expand(2, 43, 7).clone()
    for copy in AnotherInput(same_class=rule).copies(replace(given, scores=scores), torch.arange(43)):
        other = target[copy.scores[0, :, 0].long()]
        same = (other == target)[copy.known]
        assert bool(same.all()) == (rule != "never")
    assert len(AnotherInput(same_class=rule)._kinds(target).unique()) == kinds


def test_inputs_of_rare_classes_stand_in_for_each_other():
    given = replace(random_explanation(members=2, examples=4), target=torch.tensor([0, 1, 2, 3]))
    given.mask[:] = True
    assert AnotherInput(same_class="common").distances(given).known.all()
    assert not AnotherInput(same_class="always").distances(given).known.any()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"aligned": "first"}, "aligned: expected relative or last, but got 'first'"),
        ({"same_class": True}, "same_class: expected always, common or never, but got True"),
    ],
)
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises(BadSetting) as caught:
        AnotherInput(**settings)
    assert str(caught.value) == message
