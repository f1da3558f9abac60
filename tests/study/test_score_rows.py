"""Rows of explanations do not ask where these come from."""

import torch

from holdfast.data.scores.given import bring
from holdfast.measure.hold import hold
from holdfast.study.brought_evidence import evidence_of_brought
from holdfast.study.measure import Measurer
from holdfast.study.measurement import FamilyKey
from holdfast.study.score_rows import ScoreRows, bins_of_scores
from tests.data.scores.made import made
from tests.study.tiny import family

KEY = FamilyKey("d", "m", "none")
ONE = bring(made(members=3, examples=12).scores)


def test_a_familys_rows_are_these() -> None:
    own = Measurer(family())
    assert own.row == own.scores.row
    assert list(own.scores.explanations) == list(own.family.explanations)


def test_hold_is_measured_overall_and_in_every_bin() -> None:
    evidence = evidence_of_brought(ONE)
    half = torch.arange(12) < 6
    bins = bins_of_scores(ONE.mask, True, half.double())
    rows = list(ScoreRows(KEY, ONE.explanations, bins).holds("scores", evidence.scales["scores"]))
    whole = rows[0]
    held = hold(evidence.scales["scores"])
    assert held is not None
    assert (whole.value, whole.n, whole.family) == (held.value, 12, KEY)
    confident = [row for row in rows if row.by == "confidence"]
    assert [(row.bin, row.n) for row in confident] == [("0.0", 6), ("0.9", 6)]
    assert {row.bin for row in rows if row.by == "impostor"} == {"shuffled", "another input"}


def test_bins_are_of_what_is_known() -> None:
    assert list(bins_of_scores(ONE.mask, True, None)) == ["length", "short"]
    assert bins_of_scores(ONE.mask, False, None)["length"] == []


def test_one_member_has_no_shape() -> None:
    alone = bring(made(members=1).scores)
    build = ScoreRows(KEY, alone.explanations, {})
    assert list(build.shape("scores", evidence_of_brought(alone))) == []
    assert list(build.agreement()) == list(build.lost()) == []
