import math

import pytest
import scipy.stats
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from holdfast.measure.learned import learned


def tosses(members, examples, share, seed=0):
    dice = torch.Generator().manual_seed(seed)
    return (torch.rand(members, examples, generator=dice) < share).double()


def naive(right, targets):
    """Balanced accuracy of a table of 0 and 1, its members' variance plus its examples', by loops."""
    table, classes = right.tolist(), sorted(set(targets))
    n = len(table)
    parts = {one: [k for k, own in enumerate(targets) if own == one] for one in classes}
    shares = [sum(sum(row[k] for k in ks) / len(ks) for ks in parts.values()) / len(classes) for row in table]
    mean = sum(shares) / n
    of_members = sum((share - mean) ** 2 for share in shares) / (n - 1) / n
    of_examples, freedom = 0.0, n - 1
    for ks in parts.values():
        each = [sum(row[k] for row in table) / n for k in ks]
        middle = sum(each) / len(each)
        if len(ks) > 1:
            spread = sum((one - middle) ** 2 for one in each) / (len(ks) - 1)
            of_examples += spread / len(ks) / len(classes) ** 2
    if len(classes) == 1 and of_examples == 0:  # two more right, two more wrong
        k = len(targets) + 4
        share = (mean * len(targets) + 2) / k
        of_examples = share * (1 - share) / k
        freedom = len(targets) - 1
    half = scipy.stats.t.ppf(0.975, freedom) * math.sqrt(of_members + of_examples)
    return mean, max(mean - half, 0), min(mean + half, 1)


@given(st.integers(2, 5), st.integers(4, 30), st.integers(0, 99))
@example(4, 4, 95)  # every example is right in three of four members, and they are not the same three
def test_accuracy_is_balanced_accuracy_of_one_class(members, examples, seed):
    right = tosses(members, examples, 0.7, seed)
    asked = learned(right, 0.5, "guessing", "accuracy")
    assert (asked.value, asked.low, asked.high) == pytest.approx(naive(right, [0] * examples))


@given(st.integers(2, 5), st.integers(0, 99))
def test_balanced_accuracy_is_the_naive_one(members, seed):
    right = tosses(members, 12, 0.6, seed)
    targets = [0] * 7 + [1] * 4 + [2]
    asked = learned(right, -1.0, "nobody", "accuracy", torch.tensor(targets))  # always above that
    if asked.because.startswith("the balanced"):
        assert (asked.value, asked.low, asked.high) == pytest.approx(naive(right, targets))
        assert asked.limit == pytest.approx(1 / 3)
    else:
        assert naive(right, targets)[1] > 1 / 3


@pytest.mark.parametrize(
    ("share", "answer"), [(0.9, "passed"), (0.5, "undecided"), (0.2, "failed"), (0.0, "failed")]
)
def test_against_chance(share, answer):
    asked = learned(tosses(10, 200, share), 0.5, "always predicting the most common class", "accuracy")
    assert asked.answer == answer
    assert asked.words == (() if answer == "passed" else ("not learned",))
    assert asked.because.endswith("; always predicting the most common class has 50.0 %")


def test_the_common_class_alone_is_not_learned():
    """Nine in ten are of one class, and members always say it: right more often than half, and worthless."""
    targets = torch.tensor([0] * 180 + [1] * 20)
    right = (targets == 0).double().expand(5, -1)
    assert learned(right, 0.5, "guessing", "accuracy").answer == "passed"
    asked = learned(right, 0.5, "guessing", "accuracy", targets)
    assert asked.answer == "failed"
    assert asked.because == ("the balanced accuracy is 50.0 % [50.0 %, 50.0 %]; guessing a class has 50.0 %")


def test_few_examples_prove_little_however_alike_members_are():
    alike = tosses(1, 10, 0.7, seed=3).expand(20, -1)
    assert alike.mean() > 0.5
    assert learned(alike, 0.5, "guessing", "accuracy").answer == "undecided"


def test_one_member_is_judged_by_its_examples():
    right = tosses(1, 200, 0.9)
    asked = learned(right, 0.5, "guessing", "accuracy")
    middle = right.mean().item()
    half = scipy.stats.t.ppf(0.975, 199) * math.sqrt(middle * (1 - middle) / 199)
    assert (asked.answer, asked.low, asked.high) == (
        "passed",
        pytest.approx(middle - half),
        pytest.approx(middle + half),
    )
    assert asked.because.startswith("the accuracy of this one model is ")


def test_one_members_balanced_accuracy_has_the_freedom_of_its_examples():
    targets = torch.tensor([0] * 150 + [1] * 50)
    right = torch.where(targets > 0, tosses(1, 200, 0.6), tosses(1, 200, 0.95, seed=1))
    parts = [right[0, targets == one].tolist() for one in (0, 1)]
    shares = [sum(part) / len(part) for part in parts]
    of_examples = sum(p * (1 - p) / (len(part) - 1) for p, part in zip(shares, parts, strict=True)) / 4
    half = scipy.stats.t.ppf(0.975, 198) * math.sqrt(of_examples)
    failed = learned(1 - right, -1.0, "nobody", "accuracy", targets)
    assert failed.because.startswith("the balanced accuracy of this one model is ")
    assert (failed.value, failed.high - failed.value) == pytest.approx((1 - sum(shares) / 2, half))


def test_three_right_in_three_prove_nothing():
    few, many = (learned(torch.ones(5, count), 0.5, "guessing", "accuracy") for count in (3, 300))
    assert (few.answer, many.answer) == ("undecided", "passed")
