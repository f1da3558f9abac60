"""The rules interface: without rules the plain operations, with rules whatever they return."""

import pytest
import torch

from holdfast.core.rules import (
    ACTIVATIONS,
    Part,
    Rules,
    activation,
    affine,
    constant,
    matmul,
    rectified,
    relu,
)


class Loud(Rules):
    """Returns what it was called with."""

    def affine(self, parts, bias):
        return ("affine", tuple(parts), bias)

    def relu(self, x):
        return ("relu", x)

    def activation(self, name, x):
        return ("activation", name, x)

    def constant(self, x):
        return ("constant", x)


X = torch.tensor([[-1.0, 0.5], [2.0, -3.0]])
PARTS = [Part(matmul, X, torch.eye(2), "input"), Part(torch.mul, X, X, "signed")]


def test_parts_are_summed():
    torch.testing.assert_close(affine(None, PARTS), X + X * X)
    torch.testing.assert_close(affine(None, PARTS, torch.ones(2)), X + X * X + 1)
    torch.testing.assert_close(affine(None, PARTS[:1]), X)


def test_without_rules_nothing_is_rewritten():
    torch.testing.assert_close(relu(None, X), X.clamp(min=0))
    torch.testing.assert_close(rectified(None, PARTS), (X + X * X).clamp(min=0))
    torch.testing.assert_close(activation(None, "tanh", X), X.tanh())
    torch.testing.assert_close(activation(None, "sigmoid", X), X.sigmoid())
    assert constant(None, X) is X


def test_with_rules_they_decide():
    rules = Loud()
    assert affine(rules, PARTS, X) == ("affine", tuple(PARTS), X)
    assert relu(rules, X) == ("relu", X)
    assert rectified(rules, PARTS, X) == ("relu", ("affine", tuple(PARTS), X))
    assert constant(rules, X) == ("constant", X)
    for name in ACTIVATIONS:
        assert activation(rules, name, X) == ("activation", name, X)


def test_an_unknown_function_is_refused():
    with pytest.raises(KeyError):
        activation(None, "step", X)


def test_by_default_nothing_is_made_ahead():
    assert Loud().ahead(PARTS[0]) is PARTS[0]
