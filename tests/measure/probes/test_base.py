import pytest
import torch

from holdfast.core.catalogue import catalogue
from holdfast.measure.probes.base import watch
from holdfast.testing.probe import check_probe
from tests.measure.probes.cases import one


def test_probability_or_evidence_of_the_target():
    run, batch, _ = one()
    trace = run(batch)
    for row, target in enumerate(batch.targets.tolist()):
        logits = trace.logits[row]
        p = watch(run, trace, batch.targets, "probability")[row]
        assert torch.allclose(p, logits[target].exp() / logits.exp().sum())
        assert watch(run, trace, batch.targets, "evidence")[row] == logits[target]


@pytest.mark.parametrize("cls", catalogue("probes").values())
def test_every_probe_of_the_catalogue_keeps_the_contract(cls):
    check_probe(cls(), *one())
