"""Numbers read back from rows, against the same by hand."""

import math
from statistics import fmean, stdev

import pytest

from holdfast.study.measurement import FamilyKey, Measurement, QuantityKey
from holdfast.study.numbers import GROUPS, Number, Part, estimate, numbers, text_groups, without_each

ONE, OTHER = FamilyKey("sst2", "rnn", "none"), FamilyKey("sst2", "rnn", "seat")
SCORE = QuantityKey("macro_f1")
BEFORE, AFTER = (0.80, 0.84, 0.82, 0.86), (0.79, 0.80, 0.84, 0.83)


def rows(family: FamilyKey, values: tuple[float, ...]) -> list[Measurement]:
    place = (family.data, family.model, family.repair)
    return [
        Measurement(*place, "macro_f1", value, by="member", member=str(seed), n=1)
        for seed, value in enumerate(values)
    ]


def test_a_number_by_seed_is_a_mean_whole_and_without_each_seed() -> None:
    number = numbers(rows(ONE, BEFORE))[ONE, SCORE]
    assert (number.whole, number.n) == (pytest.approx(0.83), 4)
    assert number.left["1"] == pytest.approx(fmean((0.80, 0.82, 0.86)))


def test_a_difference_of_seeds_that_are_shared_has_the_error_of_their_differences() -> None:
    table = numbers([*rows(ONE, BEFORE), *rows(OTHER, AFTER)])
    found = estimate(table, [Part("", ((1.0, OTHER, SCORE), (-1.0, ONE, SCORE)))], mean=False, log=False)
    apart = [after - before for before, after in zip(BEFORE, AFTER, strict=True)]
    assert found is not None
    assert found.error is not None
    assert found.value.item() == pytest.approx(fmean(apart))
    assert found.error.item() == pytest.approx(stdev(apart) / math.sqrt(4))


def test_pairs_are_left_out_with_either_of_their_seeds() -> None:
    place = (ONE.data, ONE.model, ONE.repair)
    pairs = {("0", "1"): 0.1, ("0", "2"): 0.2, ("1", "2"): 0.6}
    made = [
        Measurement(*place, "macro_f1", value, by="pair", member=a, other_member=b)
        for (a, b), value in pairs.items()
    ]
    number = numbers(made)[ONE, SCORE]
    assert (number.whole, number.n) == (pytest.approx(0.3), 3)
    assert number.left == pytest.approx({"0": 0.6, "1": 0.2, "2": 0.1})


def test_without_a_group_the_others_count_by_their_texts() -> None:
    number = Number(0.5, 3, {}, {0: (0.2, 10), 1: (0.4, 30), 2: (0.9, 5)})
    assert number.without_group(2) == pytest.approx((0.2 * 10 + 0.4 * 30) / 40)
    assert Number(0.5, 3, {}, {0: (0.2, 10)}).without_group(0) == 0.5


def test_what_was_not_measured_or_has_no_logarithm_has_no_estimate() -> None:
    part = [Part("", ((1.0, ONE, SCORE),))]
    assert estimate({}, part, mean=False, log=False) is None
    zero = numbers(rows(ONE, (0.0, 0.0, 0.0)))
    assert estimate(zero, part, mean=False, log=True) is None
    assert estimate(zero, part, mean=False, log=False) is not None


def test_groups_of_texts_are_even_and_always_the_same() -> None:
    groups = text_groups(103)
    assert groups.bincount().tolist() == [6] * 3 + [5] * (GROUPS - 3)
    assert text_groups(103).tolist() == groups.tolist()
    assert sorted(text_groups(7).tolist()) == list(range(7))


def test_without_each_leaves_one_out() -> None:
    assert without_each({"0": 1.0, "1": 2.0, "2": 6.0}, lambda values: max(values)) == {
        "0": 6.0,
        "1": 6.0,
        "2": 2.0,
    }
