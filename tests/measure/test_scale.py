from dataclasses import replace

import torch

from holdfast.core.records import Member
from holdfast.measure.hold import hold
from holdfast.measure.impostors import AnotherInput, Shuffled
from holdfast.measure.scale import scale_of
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
