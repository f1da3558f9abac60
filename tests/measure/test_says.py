import pytest
import torch

from holdfast.measure.contrast import Contrast, contrast_of
from holdfast.measure.reduce import Interval
from holdfast.measure.says import says
from tests.measure.builders import explanation


def contrast(consensus, kept):
    return Contrast(Interval(sum(consensus) / 2, *consensus, 5), Interval(sum(kept) / 2, *kept, 5), 0.5, 0.1)


@pytest.mark.parametrize(
    ("consensus", "kept", "answer", "limit"),
    [
        ((0.3, 0.4), (0.5, 0.9), "passed", 0.1),
        ((0.01, 0.04), (0.5, 0.9), "failed", 0.05),
        ((0.3, 0.4), (-0.1, 0.05), "failed", 0.1),
        ((0.04, 0.06), (0.5, 0.9), "undecided", 0.05),
        ((0.3, 0.4), (0.05, 0.15), "undecided", 0.1),
        ((0.04, 0.06), (-0.1, 0.05), "failed", 0.1),
    ],
)
def test_uneven_and_more_than_noise(consensus, kept, answer, limit):
    asked = says(contrast(consensus, kept))
    assert (asked.answer, asked.limit) == (answer, limit)
    assert asked.words == (() if answer == "passed" else ("says nothing",))


def test_noise_says_nothing_and_a_signal_says_something():
    dice = torch.Generator().manual_seed(0)
    noise = torch.randn(10, 200, 12, generator=dice)
    assert says(contrast_of(explanation(noise.exp()))).answer == "failed"
    signal = torch.randn(200, 12, generator=dice)
    assert says(contrast_of(explanation((signal + 0.2 * noise).exp()))).answer == "passed"


def test_even_scores_say_nothing():
    assert says(contrast_of(explanation(torch.ones(3, 4, 6)))).answer == "failed"


def test_single_positions_cannot_be_asked():
    asked = says(contrast_of(explanation(torch.arange(12.0).view(3, 4, 1))))
    assert (asked.answer, asked.because) == ("not asked", "no example has two positions or more")


def test_the_reason_has_the_numbers():
    assert says(contrast((0.01, 0.03), (0.5, 0.9))).because == (
        "the share of the largest contrast that the consensus has is 0.02 [0.01, 0.03]; 0.05 is the least"
    )


def test_one_member_need_only_be_uneven():
    one = Contrast(Interval(0.3, 0.2, 0.4, 1), None, 0.5, 0.1)
    assert says(one).answer == "passed"
    assert says(one).because == (
        "the share of the largest contrast that this one model has is 0.30 [0.20, 0.40]; 0.05 is the least"
    )
