from types import SimpleNamespace

import pytest
import torch

from holdfast.measure.claims import CAME
from holdfast.measure.linked import gap_correlation, wrong_beside_right
from holdfast.measure.probes.moved import Moved
from holdfast.studies.calibration.claims import own_claims
from holdfast.studies.calibration.link import effect_rows, stands_for
from holdfast.studies.calibration.link_section import link_section
from holdfast.studies.calibration.measures import LOG_ODDS
from holdfast.study.measurement import Measurement
from tests.measure.test_linked import predictions


def family(classes, candidates=20):
    task = SimpleNamespace(classes=classes)
    return SimpleNamespace(
        dataset=SimpleNamespace(task=task), probabilities=torch.zeros(3, 4, candidates), targets=None
    )


def moved(**about):
    effect, confidence, predicted, right = predictions(3, 800, **about)
    truth = torch.where(right[0], predicted[0], 1 - predicted[0])
    return Moved(effect, confidence, predicted, truth, 2)


def link(found, classes=("bad", "good")):
    def row(quantity, value, **about):
        return Measurement("d", "cnn", "none", quantity, value.value, value.low, value.high, value.n, **about)

    return list(effect_rows(found, family(classes), torch.arange(800), LOG_ODDS, row))


def test_each_members_own_predictions_are_matched():
    found = moved(link=0.4)
    rows = {(r.quantity.removeprefix("permutation_log_odds_"), r.label): r for r in link(found)}
    assert set(rows) == {
        ("gap", ""),
        ("gap_calibrated", ""),
        ("gap_beyond", ""),
        ("wrong", "false positive"),
        ("wrong", "false negative"),
    }
    right = found.predicted == found.truth
    each = [
        wrong_beside_right(*(one[m][found.predicted[m] == 1] for one in (*found[:3], right)))
        for m in range(3)
    ]
    assert rows["wrong", "false positive"].value == pytest.approx(sum(each) / 3)


def test_a_calibrated_model_is_taken_off():
    rows = {r.quantity.removeprefix("permutation_log_odds_"): r.value for r in link(moved()) if not r.label}
    assert rows["gap_beyond"] == pytest.approx(rows["gap"] - rows["gap_calibrated"])


def test_even_attention_has_nothing_but_rounding_to_compare():
    found = moved(link=0.4)
    assert link(found._replace(effect=1e-6 * found.effect)) == []


def test_a_link_on_texts_comes_out_as_a_claim():
    answers = {c.statement: c.answer for c in own_claims(link(moved(link=0.6))) if not c.detail}
    statement = "shuffling attention changes the log-odds of false positive predictions less than those of"
    assert [answer for name, answer in answers.items() if name.startswith(statement)] == [CAME]


def test_an_item_that_was_not_taken_stands_for_all_of_them():
    found = moved()
    weight = stands_for(family((), candidates=100), found)
    assert weight[found.truth == 1].unique().tolist() == [1.0]
    assert weight[found.truth == 0].unique().tolist() == [99.0]
    rows = {(r.quantity, r.label): r.value for r in link(found, ())}
    right = found.predicted == found.truth
    each = [
        gap_correlation(*(one[m] for one in (*found[:2], right)), 1.0 + 18.0 * (found.truth == 0))
        for m in range(3)
    ]
    assert rows["permutation_log_odds_gap", ""] == pytest.approx(sum(each) / 3)
    assert ("permutation_log_odds_gap", "taken") in rows


def test_the_page_shows_both_readings_and_only_what_was_measured():
    section = link_section(link(moved()))
    (line,) = section.tables[0].rows
    assert section.tables[0].columns[2:] == (
        "log-odds",
        "log-odds, if it were calibrated",
        "log-odds, beyond that",
    )
    assert line[:2] == ("d", "cnn")
    assert ["false positive" in figure.title for figure in section.figures] == [True, False]
    assert link_section([]).empty
