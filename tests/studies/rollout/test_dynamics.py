from dataclasses import replace

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.records import Member
from holdfast.measure.pairing import over_methods
from holdfast.studies.rollout.dynamics import dynamics_rows, recall_rows, stages_of
from holdfast.studies.rollout.names import GRADIENT, ROLLOUT
from tests.study.rollout_families import ROWS, family

TWO = "sasrec:dim=8,blocks=2"


def test_stages_are_of_the_weights_that_were_kept():
    own = family(TWO)
    stages = stages_of(own)
    assert len(stages) == 2
    assert set(stages[0]) == {GRADIENT, ROLLOUT, "attention_first", "shapley:samples=64,absent=column"}
    found = stages[1][ROLLOUT]
    assert found.members == (Member(0), Member(1))
    assert torch.allclose(found.scores, own.explanations[ROLLOUT].scores[:2, : ROWS // 4], atol=1e-6)


def test_where_nothing_was_kept_there_are_none():
    own = family(TWO)
    last = replace(own.only([Member(2)]), job=own.job)
    assert stages_of(last) == []
    assert list(dynamics_rows(own, [])) == []


def test_epochs_are_rows():
    own = family(TWO)
    stage = {name: one for name, one in own.explanations.items() if name in (GRADIENT, ROLLOUT)}
    rows = list(dynamics_rows(own, [stage, stage]))
    assert [(r.bin, r.at) for r in rows] == [("1", 1.0), ("2", 2.0)]
    pair = (own.explanations[GRADIENT], own.explanations[ROLLOUT])
    expected = over_methods(*pair, make("comparisons", "spearman")).double().mean().item()
    assert rows[0].value == pytest.approx(expected)


def test_no_correlation_of_two_seeds_reaches_beyond_one():
    own = family(TWO)
    rows = list(dynamics_rows(own, stages_of(own)))
    assert {r.n for r in rows} == {2}
    assert all(-1 <= r.low <= r.value <= r.high <= 1 for r in rows)


def test_recall_is_what_early_stopping_watched():
    first, second = recall_rows(family(TWO))
    assert (first.value, first.by, first.bin) == (pytest.approx(0.1), "epoch", "1")
    assert second.value == pytest.approx(0.21)
    assert second.low < 0.21 < second.high
