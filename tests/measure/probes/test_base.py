from dataclasses import replace

import pytest
import torch

from holdfast.core.catalogue import catalogue
from holdfast.core.errors import BadSetting
from holdfast.data.base import Task
from holdfast.measure.probes.base import MapProbe, watch
from holdfast.models.interaction.sasrec import Sasrec
from holdfast.models.run import Run
from holdfast.testing.map_probe import check_map_probe
from holdfast.testing.model import build, example
from holdfast.testing.probe import check_probe
from tests.measure.probes.attentive import attentive
from tests.measure.probes.cases import one
from tests.measure.probes.histories import case

MADE_FOR = {"item_deletion": case}  # the others run on images


def test_probability_or_evidence_of_the_target():
    run, batch, _ = one()
    logits = run(batch).logits
    for row, target in enumerate(batch.targets.tolist()):
        own = logits[row]
        p = watch(run, logits, batch.targets, "probability")[row]
        assert torch.allclose(p, own[target].exp() / own.exp().sum())
        assert watch(run, logits, batch.targets, "evidence")[row] == own[target]


@pytest.mark.parametrize("name", catalogue("probes"))
def test_every_probe_of_the_catalogue_keeps_the_contract(name):
    probe = catalogue("probes")[name]()
    if isinstance(probe, MapProbe):
        check_map_probe(probe, *attentive())
    else:
        check_probe(probe, *MADE_FOR.get(name, one)())


@pytest.mark.parametrize("name", ["attention_permutation", "even_attention"])
def test_maps_of_self_attention_can_be_changed_too(name):
    task = Task(12, (), length=5)
    model = build(Sasrec(dim=4), task)
    batch = example(task, 5)
    rows = torch.arange(len(batch))
    check_map_probe(catalogue("probes")[name](), Run(model, model.tensors()), replace(batch, rows=rows))


@pytest.mark.parametrize("name", [n for n, cls in catalogue("probes").items() if issubclass(cls, MapProbe)])
def test_a_model_without_attention_is_refused(name):
    run, batch, _ = one()
    with pytest.raises(BadSetting) as caught:
        catalogue("probes")[name]().effect(run, batch)
    assert str(caught.value) == f"{name}: expected a model with attention, but got one without"
