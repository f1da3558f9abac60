"""Attention over a history without order."""

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.explain.attention import Attention
from holdfast.models.interaction.deepicf import Deepicf
from holdfast.models.run import Run
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, example_for
from tests.models.interaction.twin import TASK


def test_beta_below_one_is_no_distribution():
    weak, plain = (build(Deepicf(dim=4, beta=beta), TASK) for beta in (0.8, 1.0))
    batch = example_for(plain, TASK)
    torch.testing.assert_close(plain(batch).attention[0][0].sum(), torch.ones(()).double())
    assert plain.distributes
    assert not weak.distributes
    total = weak(batch).attention[0].sum(1).detach()
    assert abs(float(total[0]) - 1.0) > 1e-3
    normed = weak(batch).attention[0][0] / total[0]
    torch.testing.assert_close(normed, plain(batch).attention[0][0])


def test_energies_may_be_far_apart():
    model = build(Deepicf(dim=4, beta=1.0), TASK).float()
    with torch.no_grad():
        model.energy.mul_(1e6)
    batch = example_for(model, TASK)
    assert model(batch).logits.isfinite().all()
    slopes = torch.autograd.grad(model.losses(batch).sum(), list(model.parameters()))
    assert all(slope.isfinite().all() for slope in slopes)


def test_attention_explains():
    check_explainer(Attention(), Deepicf(dim=4), TASK)
    model = build(Deepicf(dim=4), TASK)
    batch = example_for(model, TASK)
    scores = Attention().scores(Run(model, model.tensors()), batch, torch.ones(5, dtype=torch.long))
    torch.testing.assert_close(scores, model(batch).attention[0])


@pytest.mark.parametrize("explainer", ["lrp", "deep_taylor", "guided_backprop"])
def test_relevance_does_not_pass_silently(explainer):
    model = build(Deepicf(dim=4), TASK)
    batch = example_for(model, TASK).take(torch.tensor([0]))
    run = Run(model, model.tensors())
    with pytest.raises(BadSetting, match=f"^{explainer}: expected a model whose every operation has a rule"):
        make("explainers", explainer).suits(run, batch, torch.tensor([1]))


def test_sizes_of_the_authors():
    model = Deepicf().build(TASK)
    assert model.embedding.weight.shape == model.embedding_target.weight.shape == (12, 16)
    assert model.attend.weight.shape == (16, 16)
    assert [layer.out_features for layer in model.tower[::2]] == [64, 32, 16]
    assert (model.beta, model.negatives, model.trains_on) == (0.8, 4, "pairs")
