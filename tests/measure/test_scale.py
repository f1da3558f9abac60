from dataclasses import replace

import torch

from holdfast.core.records import Member
from holdfast.measure.hold import hold, hold_each
from holdfast.measure.impostors import AnotherInput, Shuffled
from holdfast.measure.scale import alike, scale_of
from holdfast.measure.strongest import same_strongest
from tests.measure.builders import explanation, random_explanation


def test_an_impostor_of_few_instances_is_left_out():
    """Forty inputs of forty lengths, but for twenty that are alike: these alone have a partner."""
    lengths = torch.cat((torch.full((20,), 3), 4 * 2 ** torch.arange(20)))
    many = random_explanation(examples=40)
    mask = torch.arange(7) < lengths.clamp(max=7)[:, None]
    rare = AnotherInput(same_class="always")
    given_ = replace(many, mask=mask, scores=many.scores * mask, target=lengths)
    scale_ = scale_of(given_, [Shuffled(), rare])
    assert (set(scale_.impostors), scale_.left_out) == ({"shuffled"}, ("another input",))
    few = replace(given_, mask=mask[:20], scores=given_.scores[:, :20], target=lengths[:20])
    assert scale_of(few, [Shuffled(), rare]).left_out == ()


def test_keep_is_the_explanation_of_those_members():
    given_ = random_explanation(members=5)
    few = explanation(given_.scores[[0, 3, 4]], given_.mask)
    kept = scale_of(given_, [Shuffled()]).keep((Member(0), Member(3), Member(4)))
    assert hold(kept) == hold(scale_of(few, [Shuffled()]))


def test_in_main_memory_it_is_the_same():
    made = scale_of(random_explanation(members=3), [Shuffled()])
    assert hold(made.cpu()) == hold(made)


def test_one_position_takes_no_impostor_from_the_others():
    """Of twenty inputs all but one can be judged: that is no reason to leave an impostor out."""
    given_ = random_explanation(examples=20)
    mask = given_.mask.clone()
    mask[3, 1:] = False
    made = scale_of(explanation(given_.scores, mask), [Shuffled()])
    assert (set(made.impostors), made.left_out) == ({"shuffled"}, ())
    assert made.impostors["shuffled"].known.sum() == 19
    assert hold(made) is not None


def test_alike_scales_have_the_same_members_and_impostors():
    a, b = (random_explanation(4, seeds=seeds, noise=0.3) for seeds in ([0, 1, 2, 3], [3, 1, 9, 2]))
    both, one = scale_of(a, [Shuffled(), AnotherInput()]), scale_of(b, [Shuffled()])
    for left, right in ((both, one), (one, both)):
        left, right = alike(left, right)
        assert set(left.members) == {Member(1), Member(2), Member(3)}
        assert left.members == right.members
        assert set(left.impostors) == set(right.impostors) == {"shuffled"}
    kept = scale_of(explanation(a.scores[1:], a.mask), [Shuffled()])
    assert hold(alike(both, one)[0]) == hold(kept)


def test_a_single_member_is_at_no_distance_from_anything():
    one = random_explanation(members=1)
    alone = scale_of(one, [Shuffled()])
    assert (hold(alone), alone.impostors, alone.between.n) == (None, {}, 1)
    assert not hold_each(alone).known.any()
    assert len(hold_each(alone).known) == len(one.mask)
    assert same_strongest(one) is None
