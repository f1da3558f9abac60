"""Self-attention over words."""

import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.core.records import PLAIN, Edit
from holdfast.explain.lrp import Lrp
from holdfast.models.run import Run
from holdfast.models.text.transformer import Transformer, sinusoids
from holdfast.testing.model import build, check_model, example
from tests.models.text.twin import PAIR, TWO
from tests.reference import recommend

SMALL = Transformer(dim=4, hidden=6, blocks=2, heads=2)


@pytest.mark.parametrize("task", [TWO, PAIR])
@pytest.mark.parametrize("architecture", [SMALL, Transformer(dim=4, hidden=6, blocks=1, attention="dot")])
def test_contract(architecture, task):
    check_model(architecture, task)


def test_twin():
    model, batch = build(SMALL, TWO), example(TWO)
    trace = model(batch)
    for row in range(4):
        mask = batch.mask[row].tolist()
        states = []
        for t, word in enumerate(batch.inputs[row].tolist()):
            words = model.encoder.project(model.embedding.weight[word]) * 6**0.5
            placed = words + sinusoids(6, 6, trace.logits)[t]
            states.append(placed if mask[t] else torch.zeros_like(placed))
        sees = [[j for j in range(6) if mask[j]] if mask[i] else [] for i in range(6)]
        wanted, maps = recommend.blocks(list(model.encoder.blocks.stack), states, sees)
        for ours, theirs in zip(trace.attention[:-1], maps, strict=True):
            torch.testing.assert_close(ours[row].tolist(), theirs)
        context, _ = model.pool(torch.stack(wanted)[None], batch.mask[row : row + 1], PLAIN)
        torch.testing.assert_close(trace.logits[row, 1], model.head(context)[0, 0])


def test_the_trace_tells_how_the_output_reads_the_positions():
    trace = build(SMALL, TWO)(example(TWO))
    assert [tuple(one.shape) for one in trace.attention] == [(5, 2, 6, 6), (5, 2, 6, 6), (5, 6)]
    assert torch.equal(trace.read, trace.attention[-1])


def test_layers_are_numbered_through():
    seen = []

    def look(weights, site):
        seen.append((site.layer, site.kind))
        return weights

    build(SMALL, TWO)(example(TWO), Edit(attention=look))
    assert seen == [(0, "self"), (1, "self"), (2, "pool")]


def test_relevance_does_not_pass_silently():
    model, batch = build(SMALL, TWO), example(TWO).take(torch.tensor([0]))
    run = Run(model, {name: p.detach() for name, p in model.named_parameters()})
    with pytest.raises(BadSetting, match=r"^lrp: expected a model whose every operation has a rule, but "):
        Lrp().suits(run, batch, torch.tensor([1]))


def test_bad_settings():
    with pytest.raises(
        BadSetting, match=r"^transformer: expected heads to be a divisor of hidden, which is 128, but got 3$"
    ):
        Transformer(heads=3)
    with pytest.raises(BadSetting, match=r"^transformer: expected blocks to be at least 1, but got 0$"):
        Transformer(blocks=0)
