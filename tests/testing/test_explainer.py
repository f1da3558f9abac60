"""The suite for explainers sees what it is there to see."""

from typing import ClassVar

import pytest
import torch

from holdfast.data.base import Task
from holdfast.explain.base import Explainer
from holdfast.explain.gradient_input import GradientInput
from holdfast.explain.lrp import Lrp
from holdfast.explain.rules.epsilon import Epsilon
from holdfast.models.text.average import Average
from holdfast.testing.explainer import check_explainer

TASK, MODEL = Task(12, ("no", "yes")), Average(hidden=4, dim=3)


class Unsigned(GradientInput):
    signed: ClassVar[bool] = False


class ScoresPadding(Explainer):
    signed: ClassVar[bool] = False

    def scores(self, run, batch, target, noise=None):
        return torch.ones_like(batch.mask, dtype=torch.float64)


class Blind(Explainer):
    signed: ClassVar[bool] = True

    def scores(self, run, batch, target, noise=None):
        return run(batch).attention[0]


class Neighbours(Explainer):
    signed: ClassVar[bool] = False

    def scores(self, run, batch, target, noise=None):
        scores = run(batch).attention[0]
        return scores / scores.sum()


class Unmappable(Explainer):
    signed: ClassVar[bool] = False

    def scores(self, run, batch, target, noise=None):
        scores = run(batch).attention[0]
        return scores / scores[0, 0].item()


class Careless(Explainer):
    signed: ClassVar[bool] = False

    def scores(self, run, batch, target, noise=None):
        scores = run(batch).attention[0]
        batch.inputs.clamp_(max=3)
        return scores


class Wrong(Epsilon):
    """A rule that does not keep the value."""

    def affine(self, parts, bias):
        return 2.0 * super().affine(parts, bias)


class ChangesValues(Lrp):
    def rules(self, batch, embedded):
        return Wrong(1e-6)


class ClaimsToConserve(GradientInput):
    conserves: ClassVar[bool] = True


class Incomplete(ClaimsToConserve):
    within: ClassVar[float] = 1e-9


@pytest.mark.parametrize(
    ("explainer", "error", "message"),
    [
        (Unsigned(), AssertionError, "an unsigned explainer gave a negative score"),
        (ScoresPadding(), AssertionError, "a masked position has a score"),
        (Blind(), AssertionError, "signed scores do not turn round with the target"),
        (Neighbours(), AssertionError, "neighbours in the batch change a score"),
        (Unmappable(), AssertionError, "neighbours in the batch change a score"),
        (Careless(), AssertionError, "the same call twice gives other scores"),
        (ChangesValues(), AssertionError, "rules change the evidence"),
        (
            ClaimsToConserve(),
            AssertionError,
            "an explainer that conserves must be by rules, or within a share of its total",
        ),
        (Incomplete(), AssertionError, "the finest scores miss more of their total than was promised"),
    ],
)
def test_a_broken_explainer_fails(explainer, error, message):
    with pytest.raises(error, match=message):
        check_explainer(explainer, MODEL, TASK)
