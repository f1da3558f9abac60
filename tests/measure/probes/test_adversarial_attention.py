import math

import pytest
import torch
from scipy.spatial.distance import jensenshannon

from holdfast.core.errors import BadSetting
from holdfast.core.records import Edit
from holdfast.data.base import Task
from holdfast.measure.probes.adversarial_attention import AdversarialAttention
from holdfast.models.interaction.sasrec import Sasrec
from holdfast.models.run import Run
from holdfast.testing.model import build, example
from tests.measure.probes.attentive import attentive


def test_the_adversary_is_within_its_bound_and_as_far_as_it_says():
    run, batch = attentive()
    found = AdversarialAttention(most=0.02, steps=200).adversary(run, batch)
    trace = run(batch)
    changed = run(batch, Edit(attention=lambda weights, site: found.weights)).logits.softmax(-1)
    moved = (changed - trace.logits.softmax(-1)).abs().sum(-1) / 2
    assert torch.allclose(moved, found.moved, atol=1e-9)
    assert (moved <= 0.02 + 1e-9).all()
    for row in range(len(batch)):
        kept = batch.mask[row]
        own, other = (w[row][kept].numpy() for w in (trace.attention[0], found.weights))
        if kept.sum() > 1:
            assert float(found.distance[row]) == pytest.approx(jensenshannon(own, other) ** 2, abs=1e-9)
    assert (found.weights * ~batch.mask == 0).all()


def test_where_attention_changes_nothing_the_adversary_is_far_away():
    run, batch = attentive()
    blind = Run(run.model, run.parameters | {"head.weight": torch.zeros_like(run.parameters["head.weight"])})
    distance = AdversarialAttention(steps=300).effect(blind, batch)
    several = batch.mask.sum(-1) > 2
    assert (distance[several] > 0.3).all()
    assert (distance <= math.log(2) + 1e-9).all()


def test_only_models_that_pool_have_an_adversary():
    task = Task(12, (), length=5)
    model = build(Sasrec(dim=4), task)
    with pytest.raises(BadSetting) as caught:
        AdversarialAttention().effect(Run(model, model.tensors()), example(task, 5))
    expected = "adversarial_attention: expected a model whose one attention map pools its states"
    assert str(caught.value) == expected


@pytest.mark.parametrize("setting", [{"most": 0.0}, {"steps": 0}, {"rate": -1.0}])
def test_bad_settings_are_refused(setting):
    with pytest.raises(BadSetting, match=r"adversarial_attention: expected \w+ to be above 0"):
        AdversarialAttention(**setting)
