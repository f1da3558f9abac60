"""Factored item similarities."""

import torch

from holdfast.explain.leave_one_out import LeaveOneOut
from holdfast.models.interaction.fism import Fism
from holdfast.models.run import Run
from holdfast.testing.model import build, example_for
from tests.models.interaction.twin import TASK


def test_without_a_norm_leaving_out_says_all():
    model = build(Fism(dim=4, alpha=0.0, spread=1.0), TASK)
    batch = example_for(model, TASK)
    scores = LeaveOneOut().scores(Run(model, model.tensors()), batch, torch.ones(5, dtype=torch.long))
    p, q = model.embedding.weight[batch.inputs], model.embedding_target.weight[batch.query]
    brings = (p * q).sum(-1) * (batch.mask & (batch.inputs != batch.query))
    torch.testing.assert_close(scores.detach(), brings.detach())


def test_there_is_no_attention():
    model = build(Fism(dim=4), TASK)
    assert not Fism.attends
    assert model(example_for(model, TASK)).attention == ()
    assert model.attention_names == ()
