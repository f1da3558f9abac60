import pytest
import torch
from scipy import stats

from holdfast.core.records import Member
from holdfast.studies.seat.seed_rows import SeedRows
from holdfast.study.measure import Measurer
from tests.study.tiny import family

VALUES = torch.tensor([[0.1, 0.2, 0.3, 0.4], [0.0, 0.2, 0.2, 0.0], [0.3, 0.3, 0.9, 0.1]])
MEMBERS = (Member(3), Member(5), Member(8))


def made(values=VALUES, least=0.0, most=1.0, **about):
    table = SeedRows(Measurer(family()).row, MEMBERS, "probe", torch.tensor([0, 1, 0, 1]), about)
    return list(table.rows("moved", values, least, most))


def test_the_mean_has_students_interval_over_seeds():
    (whole,) = [row for row in made(most=9.0, least=-9.0) if row.by == "all"]
    each = [0.25, 0.1, 0.4]
    low, high = stats.t.interval(0.95, 2, sum(each) / 3, stats.sem(each))
    assert (whole.value, whole.low, whole.high) == pytest.approx((0.25, low, high), abs=1e-6)
    assert low < 0


def test_an_interval_keeps_to_what_the_number_can_be():
    (whole,) = [row for row in made(most=0.5) if row.by == "all"]
    assert (whole.low, whole.high) == (0.0, 0.5)


def test_every_seed_has_the_mean_over_texts():
    found = {row.member: row.value for row in made() if row.by == "member"}
    assert found == pytest.approx({"3": 0.25, "5": 0.1, "8": 0.4})


def test_every_group_has_the_mean_over_seeds_and_its_texts():
    found = {row.bin: (row.value, row.n) for row in made() if row.by == "group"}
    assert found["0"] == pytest.approx(((0.1 + 0.3 + 0.0 + 0.2 + 0.3 + 0.9) / 6, 2))
    assert found["1"] == pytest.approx(((0.2 + 0.4 + 0.2 + 0.0 + 0.3 + 0.1) / 6, 2))


def test_all_say_what_they_are_about():
    assert {(row.probe, row.explainer) for row in made(explainer="attention")} == {("probe", "attention")}
