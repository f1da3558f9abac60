import math
from dataclasses import replace

import pytest

from holdfast.report.charts.draw import svg
from holdfast.studies.seat.charts import divergences, hold_against_f1
from holdfast.studies.seat.densities import CELLS, DENSITY
from holdfast.study.measurement import Measurement
from tests.later import Later
from tests.studies.seat.made import rows

ROWS = Later(rows)


def dense(repair, bin=1, cell=0, label="positive", value=2.0):
    at = (cell + 0.5) * math.log(2) / CELLS
    return Measurement(
        "sst2", "rnn", repair, DENSITY, value, label=label, bin=f"{bin}/{cell}", at=at, by="largest weight"
    )


def test_every_method_is_a_cross_of_its_two_rows():
    (figure,) = hold_against_f1(ROWS)
    assert figure.key == "hold-f1-sst2-rnn"
    found = {record["label"]: record for record in figure.records()}
    assert len(found) == 11
    assert found["SEAT"]["value"] == 0.6
    assert (found["SEAT"]["low"], found["SEAT"]["high"]) == pytest.approx((0.55, 0.65))
    f1 = next(r for r in ROWS if (r.repair, r.quantity, r.by) == ("seat", "macro_f1", "all"))
    assert (found["SEAT"]["x"], found["SEAT"]["x_low"]) == (f1.value, f1.low)
    assert svg(figure).startswith("<svg")


def test_an_interval_that_reaches_far_below_nothing_does_not_hide_the_others():
    some = [replace(r, low=-15.0) if (r.repair, r.quantity) == ("aswa", "hold") else r for r in ROWS]
    (figure,) = hold_against_f1(some)
    assert min(record["low"] for record in figure.records()) == 0.0
    assert "of hold from 0 up" in figure.caption


def test_models_and_data_sets_have_figures_of_their_own():
    several = [*ROWS, *(replace(row, model="bilstm") for row in ROWS)]
    figures = hold_against_f1(several)
    assert len({figure.key for figure in figures}) == 2
    assert {"rnn" in figure.title for figure in figures} == {True, False}


def test_a_method_without_f1_is_not_drawn():
    some = [row for row in ROWS if (row.repair, row.quantity) != ("seat", "macro_f1")]
    (figure,) = hold_against_f1(some)
    assert "SEAT" not in figure.data["label"]


def test_densities_are_drawn_by_largest_weight_and_label():
    some = [dense("none"), dense("seat", value=3.0), dense("aswa", bin=3, label="negative"), dense("word_at")]
    (figure,) = divergences(some)
    found = [(r["facet"], r["series"], r["value"]) for r in figure.records()]
    assert found == [
        ("largest weight 0.25 to 0.5, positive", "vanilla", 2.0),
        ("largest weight 0.25 to 0.5, positive", "SEAT", 3.0),
        ("largest weight 0.75 to 1, negative", "ASWA", 2.0),
    ]
    assert svg(figure).startswith("<svg")


def test_nothing_measured_is_nothing_drawn():
    assert hold_against_f1([]) == divergences([]) == ()
