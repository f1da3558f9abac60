import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.records import Site
from holdfast.models.doors import among, instead, shifted
from holdfast.models.layers import masked_softmax

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


@given(
    st.lists(st.floats(-9, 9), min_size=4, max_size=4),
    st.lists(st.floats(-9, 9), min_size=4, max_size=4),
    st.lists(st.booleans(), min_size=4, max_size=4),
    st.floats(0.1, 3),
)
def test_shifted_scores_are_those_before_the_softmax(scores, shift, allowed, total):
    mask, site = torch.tensor([allowed]), Site(0, "pool", torch.tensor([allowed]))
    scores, shift = (torch.tensor([numbers], dtype=torch.float64) for numbers in (scores, shift))
    found = shifted(shift * mask, masked_softmax(scores, mask) * total, site)
    torch.testing.assert_close(found, masked_softmax(scores + shift, mask) * total)


def test_shifted_scores_of_nothing_have_a_gradient():
    site = Site(0, "pool", torch.tensor([[False, False]]))
    weights = torch.zeros(1, 2, requires_grad=True)
    found = shifted(torch.ones(1, 2, requires_grad=True), weights, site)
    (slope,) = torch.autograd.grad(found.sum(), weights)
    assert found.tolist() == [[0.0, 0.0]]
    assert slope.isfinite().all()
