"""LRP: the contract, the settings."""

import pytest

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.explain.lrp import Lrp
from holdfast.explain.rules.alpha_beta import AlphaBeta
from holdfast.explain.rules.taylor import Taylor
from holdfast.testing.explainer import check_explainer
from tests.explain.cases import CELLS, PAIR, STRIPS, TEXTS, TWO

RULES = [Lrp(), Lrp(alpha=1.0, beta=0.0), Lrp("epsilon"), Lrp("gamma")]


@pytest.mark.parametrize("task", [TWO, PAIR], ids=["two", "pair"])
@pytest.mark.parametrize("explainer", RULES, ids=repr)
@pytest.mark.parametrize("architecture", TEXTS, ids=lambda one: type(one).__name__)
def test_contract_of_texts(architecture, explainer, task):
    check_explainer(explainer, architecture, task)


@pytest.mark.parametrize("explainer", [Lrp(), Lrp("epsilon")], ids=repr)
@pytest.mark.parametrize("cell", CELLS)
def test_contract_of_strips(cell, explainer):
    check_explainer(explainer, cell(bias=1e-6), STRIPS)


def test_the_written_form():
    assert make("explainers", "lrp:alpha=2,beta=1") == Lrp(alpha=2.0, beta=1.0)
    assert make("explainers", "lrp:rule=epsilon,epsilon=0.1") == Lrp("epsilon", epsilon=0.1)


def test_without_beta_only_positive_parts_are_computed():
    assert isinstance(Lrp().rules(None, None), AlphaBeta)
    assert isinstance(Lrp(alpha=1.0, beta=0.0).rules(None, None), Taylor)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"alpha": 2.0},
            r"lrp: expected alpha − beta to be 1, but got 2\.0 − 0\.5: take alpha=1\.5 with beta=0\.5",
        ),
        (
            {"alpha": float("nan")},
            r"lrp: expected alpha − beta to be 1, but got nan − 0\.5: take alpha=1\.5 .*",
        ),
        ({"alpha": 0.5, "beta": -0.5}, r"lrp: expected beta to be at least 0, but got -0\.5"),
        ({"epsilon": -1.0}, r"lrp: expected epsilon to be at least 0, but got -1\.0"),
        ({"gamma": float("inf")}, r"lrp: expected gamma to be at least 0, but got inf"),
        ({"rule": "flat"}, "lrp: expected rule to be alphabeta, epsilon or gamma, but got flat"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(BadSetting, match=f"^{message}$"):
        Lrp(**settings)
