"""The rectified memories, step by step."""

import pytest
import torch
import torch.nn.functional as F

from holdfast.models.image.rlstm import ConvPlusRlstm, Convrlstm, Rlstm
from holdfast.testing.model import build, example
from tests.models.image.twin import SMALL, count, shake


@pytest.mark.parametrize(
    ("cell", "full", "printed", "hidden"),
    [
        (Rlstm, 145_914, 145_701, 72),
        (Convrlstm, 152_410, 152_125, 96),
        (ConvPlusRlstm, 176_026, 175_741, 96),
    ],
)
def test_counts_of_the_document(cell, full, printed, hidden):
    assert count(cell(), (12, 28, 7)) == full
    # printed with one scalar for each of the three gates' biases
    assert full - 3 * (hidden - 1) == printed


def test_the_state_is_never_negative():
    model, batch = shake(build(Rlstm(), SMALL), 3), example(SMALL)
    assert (model(batch).states >= 0).all()


def test_gate_biases_are_plain_and_start_at_zero():
    model = build(Rlstm(), SMALL)
    assert not model.cell.gates.any()
    torch.testing.assert_close(F.softplus(model.cell.offset), torch.full((72,), 0.01).double())
