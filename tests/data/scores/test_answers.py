import numpy as np
import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.data.scores.answers import classes_of, names_of, probabilities_of


def test_of_two_classes_the_second_is_enough():
    odds = probabilities_of(np.array([[0.2, 1.0]], dtype=np.float16))
    assert odds.dtype == torch.float64
    assert torch.allclose(odds, torch.tensor([[[0.8, 0.2], [0.0, 1.0]]]).double(), atol=1e-3)


def test_each_member_may_have_a_tensor():
    own = [torch.tensor([[0.2, 0.8]], requires_grad=True), torch.tensor([[0.5, 0.5]])]
    assert probabilities_of(own).shape == (2, 1, 2)
    assert probabilities_of([one[:, 1] for one in own]).tolist()[1] == [[0.5, 0.5]]


def test_half_precision_adds_up_nearly_to_one():
    odds = torch.randn(3, 200, 40, generator=torch.Generator().manual_seed(0)).softmax(-1).half()
    assert probabilities_of(odds).shape == (3, 200, 40)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            [0.5],
            (
                "of shape (members, examples, classes), or (members, examples) for the second "
                "of two classes, but got (1,)"
            ),
        ),
        (
            np.ones((2, 3, 1)),
            (
                "of shape (members, examples, classes), or (members, examples) for the second "
                "of two classes, but got (2, 3, 1)"
            ),
        ),
        ([[1.5]], "between 0 and 1, but some are not: give probabilities, not logits"),
        ([[np.nan]], "between 0 and 1, but some are not: give probabilities, not logits"),
        (
            [[[0.5, 0.5], [0.4, 0.5]]],
            "to add up to 1 over the classes, but those of member 0 for example 1 add up to 0.9",
        ),
    ],
)
def test_what_are_no_probabilities_is_one_clear_sentence(given, message):
    with pytest.raises(BadSetting) as caught:
        probabilities_of(given)
    assert str(caught.value) == f"expected probabilities {message}"


@pytest.mark.parametrize(
    "given", [[1, 0, 1], np.array([1.0, 0.0, 1.0]), torch.tensor([1, 0, 1]), list("bab")]
)
def test_a_class_for_each_example(given):
    assert classes_of(given, "labels", ("a", "b"), 3).tolist() == [1, 0, 1]


def test_one_class_may_be_for_all():
    assert classes_of(1, "target", (), 3).tolist() == [1, 1, 1]
    assert classes_of("b", "target", ("a", "b"), 2).tolist() == [1, 1]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([0, 2, 1], "expected labels from 0 to 1, but one is 2"),
        ([0, -1, 1], "expected labels from 0 to 1, but one is -1"),
        ([0, 1], "expected labels of 3 examples, but got 2"),
        ([0.5, 1, 1], "expected labels to be a whole number for each example, but got something else"),
        ([[0], [1], [1]], "expected labels to be a whole number for each example, but got something else"),
        (list("abc"), "expected labels to be classes, but one is 'c': known are a and b"),
    ],
)
def test_classes_that_do_not_fit_are_one_clear_sentence(given, message):
    with pytest.raises(BadSetting) as caught:
        classes_of(given, "labels", ("a", "b"), 3)
    assert str(caught.value) == message


def test_names_without_classes():
    with pytest.raises(
        BadSetting, match=r"^expected labels to be classes, but one is 'a': give their names, "
    ):
        classes_of(["a"], "labels", (), 1)
    with pytest.raises(
        BadSetting, match=r"^expected every class to have a name of its own, but got a and a$"
    ):
        names_of(["a", "a"], 2)
    with pytest.raises(BadSetting, match=r"^expected the names of 3 classes, but got 2$"):
        names_of(["a", "b"], 3)
