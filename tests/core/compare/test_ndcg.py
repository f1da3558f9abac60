import torch

from holdfast.core.compare.ndcg import both_directions, gains_and_discounts

ALL = torch.ones(3, dtype=torch.bool)


def test_gains_and_discounts_are_centred_and_scaled():
    row = gains_and_discounts(torch.tensor([0.2, 0.9, 0.5]), ALL, False, lambda rank: 1 / (rank + 2))
    gain, worth = row[:3], row[3:]
    assert torch.allclose(gain.sum(), torch.tensor(0.0), atol=1e-6)
    assert torch.allclose((gain * worth).sum(), torch.tensor(1.0))
    assert gain.argmax().item() == worth.argmax().item() == 1


def test_a_constant_row_has_no_order():
    flat = gains_and_discounts(torch.ones(3), ALL, False, lambda rank: 1 / (rank + 2))
    row = gains_and_discounts(torch.tensor([0.2, 0.9, 0.5]), ALL, False, lambda rank: 1 / (rank + 2))
    assert (flat == 0).all()
    assert both_directions(flat, row).item() == 0.0
    assert both_directions(flat, flat).item() == 1.0
