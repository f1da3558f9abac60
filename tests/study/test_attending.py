from types import SimpleNamespace

import pytest

from holdfast.measure.probes.even_attention import EvenAttention
from holdfast.study import attending
from holdfast.study.attending import moved_rows
from holdfast.study.measurement import Measurement
from tests.measure.probes.test_moved import found


def row(quantity, value, **about):
    return Measurement(
        "d", "m", "none", quantity, value.value, value.low, value.high, **({"n": value.n} | about)
    )


def test_the_whole_then_by_confidence_then_by_outcome():
    rows = list(moved_rows(found(), EvenAttention(), row))
    assert {one.quantity for one in rows} == {one.probe for one in rows} == {"even_attention"}
    whole, *parts = rows
    assert (whole.by, whole.value) == ("all", pytest.approx(0.25))
    assert [(one.label, one.bin, one.n) for one in parts] == [
        ("", "0.6", 3),
        ("", "0.9", 1),
        ("true positive", "0.6", 2),
        ("false positive", "0.6", 1),
        ("true negative", "0.9", 1),
    ]


def test_every_audit_shuffles_once(monkeypatch):
    monkeypatch.setattr(attending, "map_rows", lambda family, probe, row: [probe])
    job = SimpleNamespace(architecture=SimpleNamespace(attends=True))
    family = SimpleNamespace(job=job)

    def shuffled(*probes):
        return list(attending.attention_rows(family, row, probes))

    assert shuffled() == shuffled("even_attention") == [attending.IN_AUDITS]
    assert shuffled("attention_permutation:of=log_odds") == [attending.IN_AUDITS]
    assert shuffled("attention_permutation:shuffles=50") == []
    job.architecture.attends = False
    assert shuffled() == []
