from dataclasses import FrozenInstanceError

import pytest

from holdfast.study.findings import Example, Findings, Heat


def test_findings_are_frozen_records() -> None:
    heat = Heat("attention", False, ((0.5, 0.5),), (0.5, 0.5), None, None, None, "says nothing")
    one = Example("d", "m", "r", ("a", "b"), "", "yes", (0.5,), (0,), (heat,))
    found = Findings("t", "c", {}, {}, (), (one,))
    assert (one.rationale, found.notes) == (None, ())
    with pytest.raises(FrozenInstanceError):
        one.label = "x"  # type: ignore[misc]
    assert one == Example("d", "m", "r", ("a", "b"), "", "yes", (0.5,), (0,), (heat,))
