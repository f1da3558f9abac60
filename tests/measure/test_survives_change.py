import math
from dataclasses import replace

import pytest
import scipy.stats
import torch

from holdfast.measure.survival import Survival
from holdfast.measure.survives_change import survives_change


def survival(value, members=10, examples=120, name="dropped", flips=0.0, spread=0.01):
    """One whose hold is ``value``."""
    draw = torch.Generator().manual_seed(0)
    far = torch.full((members, examples), 0.5).double()
    near = far * (1 - value) * (1 + spread * torch.randn(members, examples, generator=draw))
    flipped = torch.zeros(members, examples, dtype=torch.bool)
    flipped[:, : round(flips * examples)] = True
    known = torch.ones(examples, dtype=torch.bool)
    return Survival(name, near, far, known, flipped, "another input", True)


@pytest.mark.parametrize(
    ("value", "answer", "words"),
    [(0.2, "failed", ("does not hold",)), (0.55, "failed", ("shaky",)), (0.9, "passed", ())],
)
def test_the_limits_are_those_of_another_seed(value, answer, words):
    asked = survives_change([survival(value, flips=0.05)])
    assert (asked.name, asked.answer, asked.words) == ("survives_change", answer, words)
    assert asked.value == pytest.approx(value, abs=0.01)
    assert asked.low < asked.value < asked.high
    assert "under dropped over 10 seeds, against another input" in asked.because
    assert asked.because.endswith("; the prediction changes in 5.0 %")


def test_the_worst_of_several_answers_and_is_named():
    asked = survives_change([survival(0.9, name="typos"), survival(0.2), survival(0.3, name="neighbours")])
    assert (asked.answer, asked.value < 0.25) == ("failed", True)
    assert " under dropped over " in asked.because
    both = survives_change([survival(0.9), survival(0.8, name="typos")])
    assert " under typos over " in both.because


def test_few_members_or_examples_do_not_pass():
    few = survives_change([survival(0.9, members=5)])
    assert (few.answer, few.words) == ("undecided", ("shaky", "holds"))
    assert "5 seeds are too few to say that it holds (10 are needed)" in few.because
    some = survives_change([survival(0.9, examples=50)])
    assert "50 changed examples are too few to say that it holds (100 are needed)" in some.because
    two = survives_change([survival(0.9, members=2)])
    assert (two.answer, two.low) == ("undecided", None)


def test_where_too_few_can_be_changed_it_is_not_asked():
    none = replace(survival(0.5), enough=False)
    assert survives_change([none]).answer == "not asked"
    assert survives_change([none]).because == (
        "too few examples can be changed by dropped and laid beside an unrelated one"
    )
    assert survives_change([none, survival(0.2)]).answer == "failed"


def test_one_member_is_judged_by_its_examples():
    one = survival(0.9, members=1, spread=0.3)
    asked = survives_change([one], "checkpoint")
    assert (asked.answer, asked.settle) == ("passed", None)
    assert asked.because.startswith("hold 0.")
    assert asked.because.endswith(
        " under dropped in this one model, against another input; the prediction changes in 0.0 %"
    )
    near, far = one.near[0] / one.near.mean(), one.far[0] / one.far.mean()
    half = scipy.stats.t.ppf(0.975, 119) * ((near - far).var() / 120).sqrt().item()
    assert 1 - asked.low == pytest.approx((1 - asked.value) * math.exp(half))
    few = survives_change([survival(0.9, members=1, examples=50)])
    assert "50 changed examples are too few to say that it holds (100 are needed)" in few.because
    lonely = survives_change([survival(0.9, members=1, examples=1)])
    assert lonely.because.partition("; ")[0].endswith("one example gives no margin of error")
