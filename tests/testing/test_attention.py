"""Attention that breaks its promises is found."""

import pytest

from holdfast.models.interaction.deepicf import Deepicf
from holdfast.testing.attention import check_attention, check_edit
from holdfast.testing.model import build, example_for
from tests.models.interaction.twin import TASK


def test_weights_that_are_no_distribution_must_say_so():
    model = build(Deepicf(dim=4, beta=0.5), TASK)
    batch = example_for(model, TASK)
    check_attention(model, batch)
    check_edit(model, batch)
    model.distributes = True
    with pytest.raises(AssertionError, match=r"^attention does not sum to 1$"):
        check_attention(model, batch)
