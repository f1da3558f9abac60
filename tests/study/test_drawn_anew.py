"""How much of a single member's explanations an untrained network gives too."""

from dataclasses import replace

import pytest
import torch

from holdfast.study.drawn_anew import drawn_anew, drawn_anew_note
from tests.study.tiny import family as family_result


def alone(untrained):
    """A family of one whose untrained networks say this, given what the member says."""
    family = family_result()
    one = family.only(family.members[:1])
    return replace(one, untrained={name: untrained(e.scores[0]) for name, e in one.explanations.items()})


def test_the_same_order_is_all_of_it_and_a_random_one_nothing():
    same = dict(drawn_anew(alone(lambda own: own[None].repeat(2, 1, 1))))
    assert all(one.value == pytest.approx(1.0) for one in same.values())
    chance = dict(drawn_anew(alone(lambda own: torch.rand(2, *own.shape))))
    assert all(abs(one.value) < 0.3 for one in chance.values())
    assert "random" not in same


def test_of_several_members_nothing_is_said():
    family = family_result()
    assert not list(drawn_anew(family))
    assert drawn_anew_note(family) == []


def test_the_note_says_what_the_untrained_network_is():
    [note] = drawn_anew_note(alone(lambda own: own[None]))
    assert note.startswith(
        "Beside the same network with every weight drawn anew, in 16 draws: the share of an"
    )
