import math

import pytest
import torch

from holdfast.studies.seed_stability.measures import seed_rows
from holdfast.studies.seed_stability.numbers import ACCURACY, ATTENTION, DEVIATION, SPREAD, numbers
from holdfast.study.measure import Measurer
from holdfast.study.measurement import FamilyKey
from holdfast.study.numbers import Part, estimate
from tests.reference import claims as naive
from tests.study.seeds import GROUPS, TEXTS, accuracy_rows, distances, pair_rows
from tests.study.tiny import family

ONE, OTHER = FamilyKey("sst2", "cnn", "none"), FamilyKey("sst2", "cnn", "aswa")
CUT = Part("", ((1.0, ONE, ATTENTION), (-1.0, OTHER, ATTENTION)))


def test_the_error_of_a_cut_is_that_of_two_naive_jackknives() -> None:
    before, after = distances(6, 0.3), distances(6, 0.1, seed=1)
    found = estimate(numbers([*pair_rows(before, ONE), *pair_rows(after, OTHER)]), [CUT], False, True)

    def ratio(seeds: object, texts: object) -> float:
        one, other = (naive.mean_of_pairs(table, seeds, texts) for table in (before, after))
        return math.log(one / other)

    everyone, all_texts = range(6), range(TEXTS)
    members = naive.jackknife(lambda keep: ratio(keep, all_texts), 6)
    groups = naive.jackknife(
        lambda keep: ratio(everyone, [t for t in all_texts if t % GROUPS in keep]), GROUPS
    )
    assert found is not None
    assert found.error is not None
    assert found.value.item() == pytest.approx(ratio(everyone, all_texts))
    assert found.error.item() == pytest.approx(math.sqrt(members + groups))
    assert (found.freedom, found.n) == (4, 6)


def test_a_spread_is_over_seeds_alone() -> None:
    values = [[0.80, 0.82, 0.85, 0.81], [0.83, 0.84, 0.835, 0.832]]
    rows = [row for own, place in zip(values, (ONE, OTHER), strict=True) for row in accuracy_rows(own, place)]
    part = Part("", ((1.0, ONE, SPREAD), (-1.0, OTHER, SPREAD)))
    found = estimate(numbers(rows), [part], False, True)

    def ratio(keep: object) -> float:
        one, other = (naive.sd([own[seed] for seed in keep]) for own in values)  # type: ignore[attr-defined]
        return math.log(one / other)

    assert found is not None
    assert found.error is not None
    assert found.value.item() == pytest.approx(ratio(range(4)))
    assert found.error.item() == pytest.approx(math.sqrt(naive.jackknife(ratio, 4)))
    assert found.freedom == 3


def test_numbers_of_a_family_are_those_of_its_probabilities_and_scores() -> None:
    one = family(members=5)
    table = numbers([*Measurer(one).quality(), *seed_rows(one)])
    place = FamilyKey(one.data, one.model, one.repair)
    yes = one.probabilities[..., 1].tolist()
    texts = range(len(yes[0]))
    own = table[place, DEVIATION]
    assert own.whole == pytest.approx(naive.mean_deviation(yes, range(5), texts))
    for seed in range(5):
        rest = [s for s in range(5) if s != seed]
        assert own.left[str(seed)] == pytest.approx(naive.mean_deviation(yes, rest, texts))
    pairs = table[place, ATTENTION]
    for number in (own, pairs, table[place, ACCURACY]):
        count = sum(n for _, n in number.groups.values())
        assert sum(v * n for v, n in number.groups.values()) / count == pytest.approx(number.whole)
        assert number.n == 5


def test_a_seed_that_one_family_lacks_is_left_out_of_the_other() -> None:
    rows = [*pair_rows(distances(6, 0.3), ONE), *pair_rows(distances(5, 0.1), OTHER)]
    found = estimate(numbers(rows), [CUT], False, True)
    assert found is not None
    assert found.n == 5


def test_from_two_seeds_there_is_no_error() -> None:
    rows = [*pair_rows(distances(2, 0.3), ONE), *pair_rows(distances(2, 0.1), OTHER)]
    found = estimate(numbers(rows), [CUT], False, True)
    assert found is not None
    assert found.error is None
    assert found.n == 2


def test_nothing_cannot_shrink_but_all_of_it_can_be_gone() -> None:
    rows = [*pair_rows(distances(4, 0.3), ONE), *pair_rows(distances(4, 0.0), OTHER)]
    gone = estimate(numbers(rows), [CUT], False, True)
    assert gone is not None
    assert gone.value.item() == torch.inf
    assert gone.error is None
    turned = Part("", ((1.0, OTHER, ATTENTION), (-1.0, ONE, ATTENTION)))
    assert estimate(numbers(rows), [turned], False, True) is None


def test_what_was_not_measured_is_not_estimated() -> None:
    assert estimate(numbers(pair_rows(distances(4, 0.3), ONE)), [CUT], False, True) is None
