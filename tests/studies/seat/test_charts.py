import math
from dataclasses import replace

import pytest

from holdfast.report.charts.draw import svg
from holdfast.studies.seat.charts import FEWEST, divergences, hold_against_f1, one_text
from holdfast.studies.seat.densities import CELLS, DENSITY
from holdfast.studies.seat.one_text import AFTER, BEFORE
from holdfast.study.measurement import Measurement
from tests.later import Later
from tests.studies.seat.made import rows

ROWS = Later(rows)


def dense(repair, bin=1, cell=0, label="positive", value=2.0, n=FEWEST):
    at = (cell + 0.5) * math.log(2) / CELLS
    return Measurement(
        "sst2", "rnn", repair, DENSITY, value, n=n,
        label=label, bin=f"{bin}/{cell}", at=at, by="largest weight",
    )  # fmt: skip


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
    some = [dense("aswa", bin=3, label="negative"), dense("none"), dense("seat", value=3.0), dense("word_at")]
    (figure,) = divergences(some)
    found = [(r["facet"], r["series"], r["value"]) for r in figure.records()]
    assert found == [
        ("¼–½, positive", "vanilla", 2.0),
        ("¼–½, positive", "SEAT", 3.0),
        ("¾–1, negative", "ASWA", 2.0),
    ]
    assert svg(figure).startswith("<svg")


def test_few_texts_have_no_density_and_a_long_label_is_cut():
    assert divergences([dense("none", n=FEWEST - 1)]) == ()
    (figure,) = divergences([dense("none", label="a label that is long")])
    assert figure.data["facet"] == ("¼–½, a label tha…",)


def test_what_is_not_ranked_is_not_drawn():
    (figure,) = hold_against_f1(rows({"seat": {"contrast": 0.04}, "aswa": {"constant": 1.0}}))
    assert not {"SEAT", "ASWA"} & set(figure.data["label"])
    assert "SEAT + ASWA" in figure.data["label"]


def test_a_text_has_a_bar_for_each_word_before_and_after():
    def word(quantity, bin, value, repair="none"):
        about = {"by": "word", "sentence": "1", "bin": bin, "probe": "neighbours"}
        return Measurement("sst2", "rnn", repair, quantity, value, **about)

    some = [
        word(BEFORE, "1:good → fine", 0.75),
        word(AFTER, "1:good → fine", 0.25),
        word(BEFORE, "2:film", 0.25, "word_at:strength=1.0"),
    ]
    (figure,) = one_text(some)
    found = [(r["facet"], r["label"], r["series"], r["value"]) for r in figure.records()]
    assert found == [
        ("vanilla", "1  good → fine", "as it is", 0.75),
        ("vanilla", "1  good → fine", "changed", 0.25),
        ("Word-AT", "2  film", "as it is", 0.25),
    ]
    assert svg(figure).startswith("<svg")


def test_nothing_measured_is_nothing_drawn():
    assert hold_against_f1([]) == divergences([]) == one_text([]) == ()
