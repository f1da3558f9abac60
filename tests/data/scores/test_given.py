import numpy as np
import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.data.scores.given import bring
from tests.data.scores.made import made

MADE = made(members=3, examples=4)


def test_everything_together():
    brought = bring(**MADE.all, predict=MADE.predict, tokens=list("abcdef"), classes=["bad", "good"])
    assert brought.members == (Member(0), Member(1), Member(2))
    assert brought.first.signed
    assert brought.mask.all()
    assert brought.probabilities.shape == (3, 4, 2)
    assert brought.first.target.tolist() == [1] * 4
    assert brought.told
    assert list(brought.untrained) == ["scores"]
    assert brought.tokens[3] == tuple("abcdef")
    assert brought.notes == ()


def test_scores_are_for_the_class_that_the_models_favour_unless_told():
    brought = bring(MADE.scores, probabilities=MADE.probabilities)
    assert brought.first.target.tolist() == (MADE.probabilities.mean(0) > 0.5).astype(int).tolist()
    assert not brought.told
    assert bring(MADE.scores).first.target.tolist() == [0] * 4


def test_several_explainers_have_names_and_signs_of_their_own():
    both = {"a": MADE.scores, "b": np.abs(MADE.scores)}
    brought = bring(both, untrained={"b": MADE.untrained})
    assert [one.method for one in brought.explanations.values()] == ["a", "b"]
    assert [one.signed for one in brought.explanations.values()] == [True, False]
    assert list(brought.untrained) == ["b"]
    assert not any(one.signed for one in bring(both, signed=False).explanations.values())


def test_positions_exist_as_there_are_tokens():
    scores = MADE.scores.copy()
    scores[:, 1, 2:] = np.nan
    words = [["w"] * 6, ["w"] * 2, ["w"] * 6, ["w"] * 6]
    brought = bring(scores, tokens=words)
    assert brought.mask.sum(1).tolist() == [6, 2, 6, 6]
    assert not brought.first.scores[:, 1, 2:].any()


def test_padding_without_a_mask_is_noted():
    scores = MADE.scores.copy()
    scores[:, 1, 2:] = 0
    [note] = bring(scores).notes
    assert note.startswith(
        "In 1 of 4 examples the scores of every member end in zeros, and no mask was given: "
    )
    assert bring(scores, mask=np.ones((4, 6))).notes == ()
    assert bring(MADE.scores).notes == ()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"scores": {}}, "expected the scores of one explainer at least, besides random, but got none"),
        (
            {"scores": {"random": MADE.scores}},
            "expected the scores of one explainer at least, besides random, but got none",
        ),
        (
            {"mask": np.ones((4, 5))},
            "expected mask of shape (examples, positions), here (4, 6), but got (4, 5)",
        ),
        (
            {"scores": [[[1, 2], [3]]] * 2, "mask": np.ones((2, 2))},
            "mask has positions without scores in example 1: expected False there",
        ),
        (
            {"tokens": [["w"] * 2] * 4},
            (
                "example 0 has 2 tokens, but scores at more positions: give a mask, True where "
                "a position exists"
            ),
        ),
        (
            {"scores": np.full((2, 4, 6), np.nan)},
            ("expected scores to be finite numbers, but some are NaN or infinite: mask or fix them"),
        ),
        (
            {"probabilities": np.full((2, 4), 0.5)},
            (
                "expected probabilities of 3 members for 4 examples, as there are scores, but "
                "got shape (2, 4, 2)"
            ),
        ),
        (
            {"labels": [0, 1, 2, 1], "probabilities": MADE.probabilities},
            "expected labels from 0 to 1, but one is 2",
        ),
        (
            {"scores": {"a": MADE.scores, "b": MADE.scores[:, :3]}},
            (
                "expected the same members, examples and positions of every explainer, but "
                "those of a (3, 4, 6) and of b (3, 3, 6) differ"
            ),
        ),
        (
            {"scores": {"a": MADE.scores, "b": MADE.scores}, "untrained": MADE.untrained},
            "expected untrained to be a mapping with the names of the explainers, as scores is",
        ),
        ({"untrained": {"b": MADE.untrained}}, "untrained: there are no scores of b"),
        (
            {"untrained": MADE.untrained[:, :2]},
            "expected untrained of shape (networks, 4, 6), but got (3, 2, 6)",
        ),
        ({"target": [0, 1]}, "expected target of 4 examples, but got 2"),
        ({"target": []}, "expected target to be a class for each example, but got none"),
        ({"predict": 3}, "expected predict to be a function, but got int"),
        (
            {"mask": np.where(np.arange(6) < 4, 0.0, -1e9) * np.ones((4, 1))},
            "expected mask to be True or False, where a position exists, but got other numbers",
        ),
    ],
)
def test_what_does_not_fit_is_one_clear_sentence(given, message):
    with pytest.raises(BadSetting) as caught:
        bring(**({"scores": MADE.scores} | given))
    assert str(caught.value) == message


def test_explainers_with_lists_must_explain_the_same_positions():
    one, other = [[[1.0, 2.0], [3.0]]] * 2, [[[1.0], [2.0, 3.0]]] * 2
    with pytest.raises(
        BadSetting, match=r"^expected the same members, examples and positions of every explainer"
    ):
        bring({"a": one, "b": other})
    assert torch.equal(bring({"a": one, "b": one}).mask, torch.tensor([[True, True], [True, False]]))


def test_explainers_may_be_called_by_numbers():
    assert list(bring({1: MADE.scores}, untrained={1: MADE.untrained}).untrained) == ["1"]
