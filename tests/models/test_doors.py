import torch

from holdfast.core.records import Site
from holdfast.models.doors import among, instead

WEIGHTS = torch.tensor([[0.5, 0.3, 0.2]])
SITE = Site(0, "pool", torch.tensor([[True, True, True]]))


def test_weights_among_what_is_kept_sum_to_what_they_did():
    kept = torch.tensor([[True, False, True]])
    assert torch.allclose(among(kept, WEIGHTS, SITE), torch.tensor([[5 / 7, 0.0, 2 / 7]]))
    assert (among(torch.zeros(1, 3, dtype=torch.bool), WEIGHTS, SITE) == 0).all()


def test_what_softmax_rounded_to_nothing_cannot_be_told():
    lost = torch.tensor([[1.0, 0.0, 0.0]])
    assert among(torch.tensor([[False, True, True]]), lost, SITE).isnan().all()


def test_given_weights_stand_in_place_of_the_models_own():
    assert instead(WEIGHTS, torch.zeros(1, 3), SITE) is WEIGHTS
