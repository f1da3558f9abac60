"""The suite passes every comparison of the catalogue, and catches each way of breaking a promise."""

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

import pytest
import torch

from holdfast.core.catalogue import catalogue, make
from holdfast.core.compare.base import Comparison
from holdfast.core.compare.tvd import Tvd
from holdfast.testing.comparison import CHECKS, check_comparison

NAMES = list(catalogue("comparisons"))
VARIANTS = [
    "jaccard:fraction=0.5",
    "jaccard:k=3",
    "topk_overlap:k=1",
    "ndcg_log:first_rank=1",
    "ndcg_lin:first_rank=1",
    "kl:floor=1e-6",
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("text", NAMES + VARIANTS)
def test_every_comparison_keeps_the_contract(text, check):
    check(make("comparisons", text))


def test_the_catalogue_has_all_eleven():
    wanted = "cosine jaccard jeffreys jensen_shannon kendall kl ndcg_lin ndcg_log spearman topk_overlap tvd"
    assert wanted.split() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_comparisons_are_frozen(name):
    comparison = make("comparisons", name)
    with pytest.raises(dataclasses.FrozenInstanceError):
        comparison.bounds = (0.0, 1.0)
    assert comparison == make("comparisons", name)


@dataclass(frozen=True)
class Broken(Comparison):
    """TVD with one promise broken."""

    symmetric: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = False
    how: str = ""

    def prepare(self, scores, mask, signed):
        if self.how == "touches":
            scores.mul_(2)
        if self.how == "padding":
            return scores / scores.abs().sum(-1, keepdim=True)
        if self.how == "unit":
            return torch.where(mask, scores, 0.0).tanh() / 7
        return Tvd().prepare(scores, mask, signed)

    def between(self, a, b, mask):
        value = Tvd().between(a, b, mask)
        match self.how:
            case "asymmetric":
                return value * a[..., 0]
            case "out of bounds":
                return value * 3
            case "not identical":
                return value / 2 + 0.1
            case "batch":
                return value - value.mean() if value.ndim else value
            case "order":
                return (a[..., 0] - b[..., 0]).abs()
            case "float64":
                return value.double()
            case "branch":
                return value if bool((a != b).any()) else value * 0
            case "infinite":
                return value / torch.where((a == 0).all(-1) | (b == 0).all(-1), 0.0, 1.0)
            case _:
                return value


def test_a_sound_comparison_passes():
    check_comparison(Broken())


@pytest.mark.parametrize(
    "how",
    [
        "asymmetric",
        "out of bounds",
        "not identical",
        "batch",
        "order",
        "float64",
        "branch",
        "infinite",
        "touches",
        "padding",
        "unit",
    ],
)
def test_a_broken_promise_is_caught(how):
    with pytest.raises((AssertionError, RuntimeError)):
        check_comparison(Broken(how=how))


def test_a_wrong_direction_is_caught():
    @dataclass(frozen=True)
    class Upside(Broken):
        higher_is_better: ClassVar[bool] = True

    with pytest.raises(AssertionError):
        check_comparison(Upside())
