import numpy as np
import pytest

from holdfast.core.errors import BadData
from holdfast.data.scores.given import bring
from holdfast.data.scores.npz import read_npz
from tests.data.scores.made import made

MADE = made(members=2, examples=3)


def test_every_array_is_found_again(tmp_path):
    words = np.array([["a"] * 6, ["b"] * 6, ["c"] * 6])
    about = {**MADE.all, "tokens": words, "classes": np.array(["no", "yes"]), "signed": True}
    np.savez(tmp_path / "s.npz", mask=np.ones((3, 6)), **about)
    brought = bring(**read_npz(tmp_path / "s.npz"))
    again = bring(**{**about, "classes": ["no", "yes"]})
    assert brought.tokens == again.tokens == (("a",) * 6, ("b",) * 6, ("c",) * 6)
    assert (brought.classes, brought.told, brought.first.signed) == (("no", "yes"), True, True)
    assert brought.first.scores.equal(again.first.scores)
    assert brought.probabilities.equal(again.probabilities)
    assert brought.untrained["scores"].equal(again.untrained["scores"])


def test_several_explainers_are_named_behind_a_slash(tmp_path):
    np.savez(
        tmp_path / "s.npz",
        **{"scores/a b": MADE.scores, "scores/c": MADE.scores, "untrained/c": MADE.untrained},
    )
    given = read_npz(tmp_path / "s.npz")
    assert list(given["scores"]) == ["a b", "c"]
    assert list(given["untrained"]) == ["c"]


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (
            {"score": 1},
            (
                "has an array named 'score': known are scores, untrained, mask, tokens, "
                "probabilities, labels, target, classes, signed, scores/NAME and untrained/NAME"
            ),
        ),
        ({"mask": 1}, "has no array named 'scores': expected it, or 'scores/NAME' for each explainer"),
        ({"scores": 1, "scores/a": 1}, "has 'scores' both as one array and by explainer: leave one out"),
        (
            {"scores": np.array([["a"], ["b", "c"]], dtype=object)},
            (
                "is not a readable NumPy file (Object arrays cannot be loaded when "
                "allow_pickle=False): expected arrays of numbers, and tokens and classes as "
                "arrays of text (dtype U, rows padded with '')"
            ),
        ),
    ],
)
def test_what_cannot_be_read_is_one_clear_sentence(tmp_path, arrays, message):
    path = tmp_path / "s.npz"
    np.savez(path, allow_pickle=True, **arrays)
    with pytest.raises(BadData) as caught:
        read_npz(path)
    assert str(caught.value) == f"{path} {message}"
