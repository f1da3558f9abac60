import math

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.measure.probes.comprehensiveness import Comprehensiveness
from holdfast.measure.probes.deletion import Deletion
from holdfast.testing.probe import check_probe
from tests.measure.probes.cases import one


@pytest.mark.parametrize("fill", ["background", "hole"])
def test_the_contract_holds(fill):
    run, batch, scores = one()
    check_probe(Comprehensiveness(patch=1, fill=fill), run, batch, scores)


def test_the_written_form():
    assert make("probes", "comprehensiveness") == Comprehensiveness()
    assert make("probes", "comprehensiveness:fill=background,patch=2").fill == "background"


def test_shares_are_rounded_up_and_of_what_exists():
    parts = torch.zeros(2, 30)
    parts[1, 11:] = -torch.inf
    gone = (parts > -torch.inf).sum(-1, keepdim=True) - Comprehensiveness().stay(parts).sum(-1)
    assert gone.tolist() == [[0, 1, 2, 3, 6, 15], [0, 1, 1, 2, 3, 6]]


def test_it_is_deletion_at_those_counts():
    run, batch, scores = one()
    probe = Comprehensiveness(patch=1, fill="background")
    parts = probe.parts(batch, scores)
    curve = probe.curve(run, batch, parts, batch.targets)
    whole = Deletion(patch=1, steps=parts.shape[1]).curve(run, batch, parts, batch.targets)
    at = [0, *(math.ceil(share / 100 * parts.shape[1]) for share in probe.shares)]
    torch.testing.assert_close(curve, whole[:, at])
    torch.testing.assert_close(probe.drop(curve), whole[:, 0] - whole[:, at[1:]].mean(1))
