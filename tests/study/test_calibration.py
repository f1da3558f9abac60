"""How calibrated a family is, and what of it can be."""

from dataclasses import replace

import pytest
import torch

from holdfast.measure.calibration import ece, reliability
from holdfast.models.base import Model
from holdfast.study import calibration, result
from holdfast.study.calibration import bins_of, calibrated_of, calibration_rows
from holdfast.study.evidence import evidence_of
from holdfast.study.measure import Measurer
from tests.study import rollout_families
from tests.study.tiny import family

ONE = family(members=4)
ROWS = list(calibration_rows(ONE, Measurer(ONE).row, bins_of(ONE)))


def chosen(quantity, by="all"):
    return [row for row in ROWS if (row.quantity, row.by) == (quantity, by)]


def test_every_error_has_an_interval_over_seeds_and_one_over_examples():
    for name in ("ece", "overconfidence", "mce", "ace", "nll", "brier"):
        [seeds], [examples] = chosen(name), chosen(name, "examples")
        assert seeds.value == pytest.approx(examples.value)
        assert (seeds.low, seeds.high) != (examples.low, examples.high)
    each = [ece(reliability(p, ONE.targets)) for p in ONE.probabilities]
    assert chosen("ece")[0].value == pytest.approx(sum(each) / 4)


def test_the_diagrams_of_all_and_of_each_class():
    rows = chosen("reliability", "confidence")
    assert [row.bin for row in rows] == [f"{one.low:.1f}" for one in bins_of(ONE)]
    assert all(row.bin <= f"{row.at:.2f}" for row in rows)
    by_class = chosen("reliability_by_class", "confidence")
    assert {row.label for row in by_class} == set(ONE.dataset.task.classes)
    assert sum(row.n for row in by_class) == pytest.approx(len(ONE.targets), abs=len(by_class))


def test_logits_that_were_stored_are_what_is_calibrated():
    shifted = replace(ONE, logits=2 * ONE.probabilities.log())
    expected = (2 * ONE.probabilities.log()).softmax(-1)
    torch.testing.assert_close(calibrated_of(shifted)[0], expected)
    torch.testing.assert_close(calibrated_of(ONE)[0], ONE.probabilities)
    assert torch.equal(shifted.only(ONE.members[:2]).logits, shifted.logits[:2])


def test_a_recommender_is_calibrated_on_its_candidates_and_has_no_classes():
    plays = rollout_families.family()
    probabilities, targets = calibrated_of(plays)
    torch.testing.assert_close(probabilities, plays.probabilities)
    assert torch.equal(targets, plays.targets)
    quantities = {row.quantity for row in calibration_rows(plays, Measurer(plays).row, bins_of(plays))}
    assert {"ece", "reliability"} <= quantities
    assert not {"ace", "reliability_by_class"} & quantities


def test_the_explained_answer_has_the_probability_that_the_model_gives_it(monkeypatch):
    logits = ONE.probabilities.log() + 3.0
    shifted = replace(ONE, logits=logits)
    torch.testing.assert_close(shifted.explained, ONE.explained)
    monkeypatch.setattr(result, "template", lambda architecture, task: Pairs())
    expected = logits[:, ONE.rows].sigmoid().gather(2, ONE.target[None, :, None].expand(4, -1, 1))[..., 0]
    torch.testing.assert_close(shifted.explained, expected)


class Pairs(Model):
    """A model of pairs, by its door alone: σ of each score, the true candidate first."""

    def embed(self, batch):
        raise NotImplementedError

    encode = decide = embed

    def probabilities(self, logits):
        return logits.sigmoid()

    def calibrated(self, logits, targets):
        answers = torch.stack([torch.zeros_like(logits), logits], -1)
        places = torch.arange(logits.shape[-1]) == targets[:, None]
        return answers.flatten(-3, -2), places.long().flatten()


def test_a_model_of_pairs_has_an_answer_for_each_candidate(monkeypatch):
    plays = rollout_families.family()
    scores = torch.randn(
        plays.probabilities.shape, dtype=torch.float64, generator=torch.Generator().manual_seed(0)
    )
    monkeypatch.setattr(calibration, "template", lambda *about: Pairs())
    pairs = replace(plays, logits=scores)
    probabilities, targets = calibrated_of(pairs)
    candidates = scores.shape[-1]
    assert probabilities.shape == (len(scores), scores.shape[1] * candidates, 2)
    torch.testing.assert_close(probabilities[0, 3, 1], scores[0, 0, 3].sigmoid())
    assert targets[:candidates].tolist() == [1] + [0] * (candidates - 1)
    rows = list(calibration_rows(pairs, Measurer(pairs).row, bins_of(pairs)))
    assert {row.label for row in rows if row.quantity == "reliability_by_class"} == {"not taken", "taken"}


def test_the_question_is_asked_once_for_a_family():
    assert evidence_of(ONE).calibrated.name == "calibrated"
