import pytest

from holdfast.studies.seed_stability.claims import Claim, own_claims
from tests.reference import claims as naive
from tests.study.seeds import distances, family

KL = "ASWA lowers the KL of attention between seeds"
KEPT = "ASWA costs less than 1 point of accuracy"
NEAR = "the spread of accuracy is cut as published of SST, within 20 points"


def heads(rows: list[object], **about: bool) -> dict[str, Claim]:
    return {a.statement: a for a in own_claims(rows, **about) if not a.detail}  # type: ignore[arg-type]


def two(kl: float, model: str = "cnn", **about: float) -> list[object]:
    return [*family(model=model), *family(model=model, repair="aswa", kl=kl, **about)]


@pytest.mark.parametrize(
    ("kl", "answer"),
    [
        (0.1, "came out"),
        (0.188, "too small to matter"),
        (0.199, "did not come out"),
        (0.4, "did not come out"),
    ],
)
def test_a_cut_is_judged(kl: float, answer: str) -> None:
    found = heads(two(kl))[KL]
    assert found.answer == answer
    assert found.effect.value == pytest.approx(1 - found.after / found.before)
    assert found.effect.low < found.effect.value < found.effect.high < 1


def test_a_cut_is_the_naive_one() -> None:
    found = heads(two(0.1))[KL]
    before, after = distances(8, 0.2), distances(8, 0.1)
    one, other = (naive.mean_of_pairs(table, range(8), range(40)) for table in (before, after))
    assert (found.before, found.after) == pytest.approx((one, other))
    assert found.effect.value == pytest.approx(1 - other / one)


@pytest.mark.parametrize(
    ("mean", "answer"),
    [(0.83, "came out"), (0.845, "came out"), (0.82, "not decided"), (0.80, "did not come out")],
)
def test_accuracy_may_fall_by_less_than_a_point(mean: float, answer: str) -> None:
    found = heads(two(0.1, mean=mean))[KEPT]
    assert found.answer == answer
    assert found.effect.value == pytest.approx(mean - 0.83, abs=1e-3)
    assert found.above == -0.01


def test_several_models_are_one_claim_with_details() -> None:
    rows = [*two(0.1), *two(0.15, "bilstm")]
    found = [a for a in own_claims(rows) if a.statement == KL]  # type: ignore[arg-type]
    assert [(a.where, a.detail) for a in found] == [
        ("sst2", False), ("sst2, cnn: aswa against none", True), ("sst2, bilstm: aswa against none", True),
    ]  # fmt: skip
    head, one, other = found
    both = 1 - ((1 - one.effect.value) * (1 - other.effect.value)) ** 0.5
    assert head.effect.value == pytest.approx(both)
    assert head.models == ("cnn", "bilstm")
    weak = next(a for a in own_claims([*two(0.1), *two(0.1, "bilstm", mean=0.8)]) if a.statement == KEPT)  # type: ignore[arg-type]
    assert (weak.weakest, weak.answer) == ("bilstm: aswa against none", "did not come out")


def test_p_is_corrected_over_the_claims_of_a_data_set() -> None:
    found = list(heads([*two(0.15), *family(repair="naswa", kl=0.16, seed=2)]).values())
    assert [a.p_holm for a in found] == pytest.approx(naive.holm([a.p for a in found]))
    assert any(a.p_holm > a.p for a in found)


def test_the_published_cut_has_its_own_error() -> None:
    found = heads(two(0.1, spread=0.0039))[NEAR]
    assert found.published == "61 % (cnn, aswa)"
    assert found.effect.value == pytest.approx(0.2, abs=0.03)
    assert found.effect.high == 0.2  # no distance is below 0
    assert found.effect.low < -0.05  # ten seeds of the document do not tell 61 % from 40 %
    assert found.answer == "not decided"
    assert found.over == "seeds, ours and the document's"


def test_other_training_is_not_held_against_what_is_printed() -> None:
    assert NEAR not in heads(two(0.1), printed=False)
    assert NEAR not in heads([*family("planted"), *family("planted", repair="aswa", kl=0.1)])


def test_two_seeds_decide_nothing() -> None:
    rows = [*family(seeds=2), *family(repair="aswa", kl=0.1, seeds=2)]
    found = own_claims(rows)
    assert found
    assert {a.answer for a in found} == {"not decided"}
    assert {a.effect.low for a in found} == {None}


def test_data_sets_stand_by_themselves() -> None:
    rows = [*two(0.1), *family("imdb"), *family("imdb", repair="aswa", kl=0.3)]
    assert [(a.data, a.answer) for a in own_claims(rows) if a.statement == KL] == [  # type: ignore[arg-type]
        ("sst2", "came out"), ("imdb", "did not come out"),
    ]  # fmt: skip
    assert own_claims([]) == []
