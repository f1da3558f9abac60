"""Rollout weighted by gradients."""

import pytest
import torch

from holdfast.core.records import Edit
from holdfast.explain.gradient_rollout import GradientRollout, by_attention
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import example
from tests.explain.attending import BERT4REC, ITEMS, NAMES, PARTNERS, SASREC, TRANSFORMER, member, run_at
from tests.explain.cases import CNN, TARGET, TWO, run_of
from tests.reference import attention as naive

MODELS = [(SASREC, ITEMS), (BERT4REC, ITEMS), (TRANSFORMER, TWO), (CNN, TWO)]


@pytest.mark.parametrize(("architecture", "task"), PARTNERS, ids=NAMES)
def test_contract(architecture, task):
    check_explainer(GradientRollout(), architecture, task)


@pytest.mark.parametrize(("architecture", "task"), MODELS, ids=repr)
def test_twin(architecture, task):
    model, batch = member(architecture, task), example(task)
    found = GradientRollout().scores(run_of(model), batch, TARGET)
    for row in range(4):
        expected = naive.gradient_rollout(model, batch.take(torch.tensor([row])), int(TARGET[row]))
        torch.testing.assert_close(found[row], torch.tensor(expected).double())


@pytest.mark.parametrize(("architecture", "task"), MODELS, ids=repr)
def test_slopes_by_attention_are_those_of_differences(architecture, task):
    run, batch = run_at(architecture, task), example(task)
    trace = run(batch)
    slopes = by_attention(run, batch, TARGET, trace)
    generator = torch.Generator().manual_seed(0)
    # where nothing may be attended the slope is multiplied by 0, whatever it is
    ways = [torch.randn(a.shape, generator=generator, dtype=a.dtype) * (a > 0) for a in trace.attention]

    def moved(step):
        left = iter(ways)
        edit = Edit(attention=lambda weights, site: weights + step * next(left))
        return run.explained(run(batch, edit).logits, TARGET)

    expected = (moved(1e-6) - moved(-1e-6)) / 2e-6
    along = sum((slope * way).flatten(1).sum(1) for slope, way in zip(slopes, ways, strict=True))
    torch.testing.assert_close(along, expected, rtol=1e-5, atol=1e-6)


def test_of_a_model_that_only_pools_it_is_attention():
    run, batch = run_at(CNN, TWO), example(TWO)
    assert torch.equal(GradientRollout().scores(run, batch, TARGET), run(batch).attention[-1])


def test_the_target_matters():
    run, batch = run_at(SASREC, ITEMS), example(ITEMS)
    one, other = (GradientRollout().scores(run, batch, torch.full((5,), k)) for k in (0, 1))
    assert not torch.allclose(one, other)
