"""Members are trained unless an architecture says otherwise."""

import pytest

from holdfast.core.records import Member
from holdfast.models.from_files import FromFiles
from holdfast.models.text.average import Average
from tests.models.adapters.modules import TWO


def test_by_default_members_are_trained():
    own = Average()
    assert isinstance(own, FromFiles)
    assert (own.files, own.undrawn, own.notes(TWO), own.explainers) == ((), "", (), ())
    with pytest.raises(NotImplementedError):
        own.weights(TWO, Member(0))
