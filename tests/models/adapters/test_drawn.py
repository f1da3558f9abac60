"""Every layer that knows how to draws itself anew; the others are named."""

import torch

from holdfast.models.adapters.drawn import redrawn, undrawn
from tests.models.adapters.modules import Attends, Masked


def test_all_is_drawn_by_layers_and_the_given_one_stays():
    own = Masked()
    torch.manual_seed(3)
    one = redrawn(own)
    torch.manual_seed(3)
    again = redrawn(own)
    torch.manual_seed(4)
    other = redrawn(own)
    for (name, a), b, c, d in zip(
        one.named_parameters(), again.parameters(), other.parameters(), own.parameters(), strict=True
    ):
        assert torch.equal(a, b), name
        assert not torch.equal(a, c), name
        assert not torch.equal(a, d), name
    assert undrawn(own) == []


def test_what_no_layer_draws():
    assert undrawn(Attends()) == ["scale"]
