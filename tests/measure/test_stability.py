from dataclasses import replace

import numpy as np
import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.measure.hold import hold
from holdfast.measure.impostors import AnotherInput, Shuffled, UntrainedOrder
from holdfast.measure.scale import scale_of
from holdfast.measure.stability import stability
from tests.measure.builders import random_explanation


def peaked(members, examples=120, length=8, noise=0.0, seed=0):
    """Scores of members that agree but for their noise."""
    dice = np.random.default_rng(seed)
    common = dice.exponential(size=(examples, length)) ** 3
    return common + noise * dice.exponential(size=(members, examples, length))


def test_it_is_the_hold_of_the_scores():
    given = random_explanation(members=5, signed=True, noise=0.4, examples=40)
    result, expected = (
        stability(given.scores, given.mask),
        hold(scale_of(given, [Shuffled(), AnotherInput()])),
    )
    assert (result.value, result.low, result.high) == (expected.value, expected.low, expected.high)
    assert (result.members, result.examples, result.nearest) == (5, 40, expected.nearest)
    assert result.each.value.shape == (40,)
    assert [question.name for question in result.questions] == ["says", "survives"]


def test_untrained_scores_are_a_third_impostor():
    given = random_explanation(members=4, noise=0.2, examples=40)
    untrained = given.scores[:2] * 3
    result = stability(given.scores, given.mask, signed=False, untrained=untrained.numpy())
    impostors = [Shuffled(), AnotherInput(), UntrainedOrder(untrained * given.mask)]
    expected = hold(scale_of(given, impostors))
    assert (result.value, result.nearest) == (expected.value, "untrained order")
    assert stability(given.scores, given.mask, signed=False).nearest != "untrained order"


@pytest.mark.parametrize(
    ("untrained", "message"),
    [
        (np.ones((2, 120, 5)), "expected untrained of shape (networks, 120, 8), but got (2, 120, 5)"),
        (
            np.ones((0, 120, 8)),
            "expected untrained of shape (members, examples, positions), none of them 0, but got (0, 120, 8)",
        ),
        (
            np.full((1, 120, 8), np.nan),
            "expected untrained to be finite numbers, but some are NaN or infinite: mask or fix them",
        ),
    ],
)
def test_bad_untrained_scores_are_one_clear_sentence(untrained, message):
    with pytest.raises(BadSetting) as caught:
        stability(peaked(3), untrained=untrained)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("members", "noise", "verdict", "between"),
    [
        (10, 0.1, "holds", None),
        (5, 0.1, "undecided", "“shaky” and “holds”"),
        (2, 0.1, "undecided", "“says nothing”, “does not hold”, “shaky” and “holds”"),
        (10, 1e6, "says nothing", None),
    ],
)
def test_the_verdict_is_that_of_the_chain(members, noise, verdict, between):
    result = stability(peaked(members, noise=noise))
    assert result.verdict == verdict
    assert between is None or result.reason.startswith(f"Undecided between {between}: ")


def test_numpy_torch_and_lists_are_the_same():
    given = random_explanation(members=3)
    whole = stability(given.scores, given.mask)
    array, mask = given.scores.numpy(), given.mask.numpy()
    array.setflags(write=False)
    assert stability(array, mask).reason == whole.reason
    assert stability(array.tolist(), mask.astype(int).tolist()).value == whole.value
    assert stability(given.scores.clone().requires_grad_(), given.mask).value == whole.value


def test_signs_count_if_there_are_any_or_as_told():
    scores = np.tile(peaked(1), (10, 1, 1))
    scores[::2] *= -1
    assert stability(scores).verdict == "does not hold"
    assert stability(scores, signed=False).verdict == "holds"


def test_what_is_masked_may_be_anything():
    scores, mask = np.tile(peaked(1), (10, 1, 1)), np.ones((120, 8), dtype=bool)
    scores[:, 0, 3], mask[0, 3] = np.nan, False
    assert stability(scores, mask).verdict == "holds"


def test_even_scores_say_nothing():
    result = stability(np.ones((3, 2, 5)))
    assert (result.value, result.low, result.high, result.verdict) == (0.0, 0.0, 0.0, "says nothing")


@pytest.mark.parametrize("members", [2, 3])
def test_single_positions_cannot_be_judged(members):
    result = stability(np.arange(4.0 * members).reshape(members, 4, 1))
    assert (result.value, result.nearest, result.verdict) == (None, None, "undecided")
    assert result.reason == (
        "Undecided between “does not hold”, “shaky” and “holds”: no example has two positions or more."
    )


@pytest.mark.parametrize(
    ("scores", "mask", "message"),
    [
        (
            np.ones((3, 4)),
            None,
            "expected scores of shape (members, examples, positions), none of them 0, but got (3, 4): "
            "of a single member, give [scores]",
        ),
        (
            np.ones((3, 0, 4)),
            None,
            "expected scores of shape (members, examples, positions), none of them 0, but got (3, 0, 4)",
        ),
        (np.ones((1, 2, 4)), None, "expected scores of at least two members, but got 1: stability needs two"),
        (
            np.full((2, 2, 4), np.nan),
            None,
            "expected scores to be finite numbers, but some are NaN or infinite: mask or fix them",
        ),
        (
            torch.full((2, 2, 4), torch.inf),
            None,
            "expected scores to be finite numbers, but some are NaN or infinite: mask or fix them",
        ),
        (
            np.ones((2, 2, 4)),
            np.ones((2, 3)),
            "expected mask of shape (examples, positions), here (2, 4), but got (2, 3)",
        ),
    ],
)
def test_bad_arrays_are_one_clear_sentence(scores, mask, message):
    with pytest.raises(BadSetting) as caught:
        stability(scores, mask)
    assert str(caught.value) == message


@pytest.mark.parametrize("scores", ["text", [[[1, 2], [3]]], None, [[["a", "b"]]]])
def test_no_array_at_all(scores):
    with pytest.raises(BadSetting, match=r"^expected scores"):
        stability(scores)


def test_it_shows_itself_without_live_markup():
    result = stability(np.tile(peaked(1), (10, 1, 1)))
    assert str(result) == result.reason
    assert repr(result).startswith("Stability(value=1.0")
    assert "each" not in repr(result)
    assert "<strong>holds</strong>" in result._repr_html_()
    nasty = replace(result, verdict="<script>", reason="a < b & c")
    assert "<script>" not in nasty._repr_html_()
    assert "a &lt; b &amp; c" in nasty._repr_html_()
