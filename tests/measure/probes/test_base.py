import pytest
import torch

from holdfast.core.catalogue import catalogue
from holdfast.measure.probes.base import watch
from holdfast.testing.probe import check_probe
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
    check_probe(catalogue("probes")[name](), *MADE_FOR.get(name, one)())
