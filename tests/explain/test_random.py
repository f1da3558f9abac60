"""The floor."""

import pytest

from holdfast.core.errors import BadSetting
from holdfast.explain.random import Random
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example
from tests.explain.cases import CNN, PAIR, TARGET, TWO, run_of


@pytest.mark.parametrize("task", [TWO, PAIR], ids=["two", "pair"])
def test_contract(task):
    check_explainer(Random(), CNN, task)


def test_random_wants_noise():
    message = r"^random: expected noise of shape \(B, T, 1\), but got none: give it uniform draws$"
    with pytest.raises(BadSetting, match=message):
        Random().scores(run_of(build(CNN, TWO)), example(TWO), TARGET)
