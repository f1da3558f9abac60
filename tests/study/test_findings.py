from dataclasses import FrozenInstanceError, replace

import pytest

from holdfast.study.findings import Example, Findings, Heat, without_text
from holdfast.study.run import read_findings
from holdfast.study.table import Row
from tests.study.tiny import finished


def test_findings_are_frozen_records() -> None:
    heat = Heat("attention", False, ((0.5, 0.5),), (0.5, 0.5), None, None, None, "says nothing")
    one = Example("d", "m", "r", ("a", "b"), "", "yes", (0.5,), (0,), (heat,))
    found = Findings("t", "c", {}, {}, (), (one,))
    assert (one.rationale, found.notes) == (None, ())
    with pytest.raises(FrozenInstanceError):
        one.label = "x"  # type: ignore[misc]
    assert one == Example("d", "m", "r", ("a", "b"), "", "yes", (0.5,), (0,), (heat,))


def test_without_text_no_word_of_the_data_is_left() -> None:
    found = read_findings(finished())
    words = Row("d", "m", "none", "word", 0.5, other="1", by="word", bin="3:wonderful", at=2.0)
    bare = without_text(replace(found, rows=(*found.rows, words)))
    tokens = {token for one in found.examples for token in one.tokens if len(token) > 3} | {"wonderful"}
    assert tokens
    assert not [token for token in tokens if token in repr((bare.examples, bare.rows))]
    assert bare.verdict == found.verdict
    assert len(bare.rows) == len(found.rows) + 1
