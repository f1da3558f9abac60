"""What the tests of explainers by attention share: models that attend, and maps that Hypothesis draws."""

import torch
from hypothesis import strategies as st

from holdfast.data.base import Task
from holdfast.models.interaction.bert4rec import Bert4rec
from holdfast.models.interaction.gru4rec import Gru4rec
from holdfast.models.interaction.sasrec import Sasrec
from holdfast.models.text.transformer import Transformer
from holdfast.testing.model import build
from tests.explain.cases import CNN, PAIR, TWO, run_of
from tests.models.image.twin import shake

ITEMS = Task(15, (), length=9)
SASREC, BERT4REC = Sasrec(dim=8, blocks=2, heads=2), Bert4rec(dim=8, blocks=2, heads=2)
TRANSFORMER, GRU = Transformer(hidden=8, dim=5), Gru4rec(dim=8)
PARTNERS = [(SASREC, ITEMS), (BERT4REC, ITEMS), (TRANSFORMER, TWO), (TRANSFORMER, PAIR), (CNN, TWO)]
NAMES = ["sasrec", "bert4rec", "transformer", "transformer-pair", "cnn"]


def member(architecture, task, seed=0, scale=3.0):
    """A model whose attention is far from uniform: every parameter moved, matrices larger."""
    model = shake(build(architecture, task, seed), seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(scale if parameter.dim() > 1 else 1.0)
    return model


def run_at(architecture, task, seed=0):
    """The same, as a run."""
    return run_of(member(architecture, task, seed))


@st.composite
def stochastic(draw):
    """Several maps (heads, T, T) whose rows sum to 1, some of them with zeros, and which position is read."""
    length, blocks, heads = draw(st.integers(1, 5)), draw(st.integers(1, 4)), draw(st.integers(1, 2))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 999)))
    weights = torch.rand(blocks, heads, length, length, generator=generator, dtype=torch.float64)
    weights = weights * (torch.rand(weights.shape, generator=generator) < 0.7)
    weights = weights / weights.sum(-1, keepdim=True).clamp_min(1e-9)
    pooled = torch.rand(length, generator=generator, dtype=torch.float64)
    one = torch.zeros(length, dtype=torch.float64)
    one[draw(st.integers(0, length - 1))] = 1.0
    read = one if draw(st.booleans()) else pooled / pooled.sum()
    return weights, read
