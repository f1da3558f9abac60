import numpy as np
import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.measure.stability import Stability, stability
from holdfast.measure.verdict import hold
from tests.measure.builders import random_explanation


def test_it_is_the_hold_of_the_scores():
    given = random_explanation(members=5, signed=True, noise=0.4)
    result, expected = stability(given.scores, given.mask), hold(given)
    assert (result.value, result.low, result.high) == (expected.value, expected.low, expected.high)
    assert (result.members, result.examples) == (5, 6)
    assert result.each.value.shape == (6,)


def test_numpy_torch_and_lists_are_the_same():
    given = random_explanation(members=3)
    whole = stability(given.scores, given.mask)
    array, mask = given.scores.numpy(), given.mask.numpy()
    array.setflags(write=False)
    assert stability(array, mask).reason == whole.reason
    assert stability(array.tolist(), mask.astype(int).tolist()).value == whole.value
    assert stability(given.scores.clone().requires_grad_(), given.mask).value == whole.value


def test_signs_count_if_there_are_any_or_as_told():
    scores = np.stack([np.eye(4), -np.eye(4), np.eye(4)])
    assert stability(scores).verdict == "does not hold"
    assert stability(scores, signed=False).verdict == "holds"


def test_what_is_masked_may_be_anything():
    scores, mask = np.tile(np.eye(4), (3, 1, 1)), np.ones((4, 4), dtype=bool)
    scores[:, 0, 3], mask[0, 3] = np.nan, False
    assert stability(scores, mask).verdict == "holds"


def test_uniform_scores_say_nothing():
    result = stability(np.ones((3, 2, 5)))
    assert (result.value, result.low, result.high, result.verdict) == (None, None, None, "says nothing")


@pytest.mark.parametrize(
    ("scores", "mask", "message"),
    [
        (
            np.ones((3, 4)),
            None,
            "expected scores of shape (members, examples, positions), none of them 0, but got (3, 4)",
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
    result = stability(np.tile(np.eye(4), (3, 1, 1)))
    assert str(result) == result.reason
    assert repr(result).startswith("Stability(value=1.0")
    assert "each" not in repr(result)
    assert "<strong>holds</strong>" in result._repr_html_()
    nasty = Stability(None, None, None, "<script>", "a < b & c", 2, 1, result.each)
    assert "<script>" not in nasty._repr_html_()
    assert "a &lt; b &amp; c" in nasty._repr_html_()
