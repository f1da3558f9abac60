from dataclasses import replace

import pytest
from scipy import stats

from holdfast.measure.reduce import Interval
from holdfast.studies.seat.plan import NONE, SEAT, SHARED
from holdfast.studies.seat.worth import Worth, sentences, worths
from holdfast.study.measurement import FamilyKey
from tests.reference import claims as naive
from tests.studies.seat.made import SEEDS, family, rows

GAIN, FALL, LEVEL = (
    Interval(0.1, 0.05, 0.15, 6),
    Interval(-0.03, -0.04, -0.02, 6),
    Interval(0.0, -0.01, 0.01, 6),
)


def one(repair, hold=GAIN, score=LEVEL, model="rnn", p=0.01):
    return Worth(FamilyKey("sst2", model, repair), hold, score, p)


@pytest.mark.parametrize(
    ("hold", "p", "score", "gains"),
    [
        (GAIN, 0.05, LEVEL, True),
        (GAIN, 0.051, LEVEL, False),
        (replace(GAIN, value=-0.1, low=-0.15, high=-0.05), 0.01, LEVEL, False),
        (GAIN, 0.01, FALL, False),
        (GAIN, 0.01, Interval(-0.03, -0.05, -0.001, 6), True),  # not certainly more than the margin
        (Interval(0.1, None, None, 2), None, LEVEL, False),
        (GAIN, 0.01, Interval(0.0, None, None, 2), True),
    ],
)
def test_a_repair_gains_where_hold_rises_for_certain_and_f1_does_not_fall_for_certain(hold, p, score, gains):
    assert one("aswa", hold, score, p=p).gains == gains


def test_the_one_that_raises_hold_most_comes_first():
    more = one(SEAT, replace(GAIN, value=0.2, low=0.15, high=0.25), Interval(-0.004, -0.01, 0.002, 6))
    assert sentences([one("aswa"), more, one("naswa", LEVEL, p=1.0)]) == [
        "rnn on sst2: SEAT (hold 0.20 [0.15, 0.25], F1 −0.4 points) raises the hold of attention most; so "
        "does ASWA (hold 0.10 [0.05, 0.15], F1 +0.0 points)."
    ]


def test_one_teacher_for_all_does_not_compete():
    assert sentences([one(SHARED)]) == ["rnn on sst2: no repair raises the hold of attention beyond chance."]


def test_what_costs_too_much_is_named():
    assert sentences([one("aswa", score=FALL), one(SEAT, LEVEL, p=1.0)]) == [
        "rnn on sst2: no repair raises the hold of attention beyond chance but ASWA (hold 0.10 [0.05, 0.15], "
        "F1 −3.0 points), which costs more than 0.008 of F1."
    ]


def test_every_model_has_its_own_sentence():
    assert len(sentences([one("aswa"), one("aswa", model="bilstm")])) == 2
    assert sentences([]) == []


def values(found, repair, quantity, by):
    return [r.value for r in found if (r.repair, r.quantity, r.by) == (repair, quantity, by)]


def test_changes_are_against_the_vanilla_model_seed_by_seed():
    some = rows()
    (found,) = [w for w in worths(some) if w.family.repair == SEAT]
    before, after = (values(some, repair, "macro_f1", "member") for repair in (NONE, SEAT))
    ends = stats.ttest_rel(after, before).confidence_interval()
    assert (found.score.low, found.score.high) == pytest.approx((ends.low, ends.high))
    left = [values(some, repair, "hold", "without") for repair in (NONE, SEAT)]
    differences = [b - a for a, b in zip(*left, strict=True)]
    square = (SEEDS - 1) / SEEDS * sum((d - naive.mean(differences)) ** 2 for d in differences)
    half = stats.t.ppf(0.975, SEEDS - 1) * square**0.5
    assert found.hold.value == pytest.approx(0.1)
    assert (found.hold.low, found.hold.high) == pytest.approx((0.1 - half, 0.1 + half))


def test_of_many_repairs_one_that_rises_by_chance_is_not_said_to():
    found = worths(rows(seeds=4))
    alone = worths([row for row in rows(seeds=4) if row.repair in (NONE, SEAT)])
    ps = {w.family.repair: w.p for w in found}
    [raw] = [w.p for w in alone]
    assert ps[SEAT] >= raw
    by_itself = [worths([row for row in rows(seeds=4) if row.repair in (NONE, name)])[0].p for name in ps]
    assert list(ps.values()) == pytest.approx(naive.holm(by_itself))


def test_one_teacher_for_all_takes_no_part_in_the_correction():
    both = worths([*rows(), *family(SHARED, hold=0.9)])
    assert {w.family.repair: w.p for w in both}[SHARED] is None
    rest = {w.family.repair: w.p for w in both if w.competes}
    assert rest == {w.family.repair: w.p for w in worths(rows())}


def test_a_change_ends_where_numbers_end():
    def wild(row):
        far = (row.repair, row.quantity, row.by, row.member) == (SEAT, "hold", "without", "0")
        return replace(row, value=-9.0) if far else row

    [hold] = [w.hold for w in worths([wild(row) for row in rows()]) if w.family.repair == SEAT]
    assert (hold.low, hold.high) == (-1.0, 1.0)


def test_what_collapsed_and_what_has_no_vanilla_model_is_not_compared():
    found = [w.family.repair for w in worths(rows({"aswa": {"constant": 1.0}}))]
    assert NONE not in found
    assert "aswa" not in found
    assert SEAT in found
    assert worths(rows(without=(NONE,))) == []
