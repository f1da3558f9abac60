"""The contract of a probe of attention maps, as checks: ``check_map_probe(Yours(), run, batch)``."""

import torch
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.measure.probes.base import MapProbe
from holdfast.models.run import Run
from holdfast.testing.model import pad

NEAR = 1e-6


def check_map_probe(probe: MapProbe, run: Run, batch: Batch) -> None:
    """Run every check of the contract; an ``AssertionError`` names the promise that is broken.

    ``batch`` has ``rows``, and examples that are not all alike; the model attends.
    """
    kept, weights = batch.map(torch.clone), {k: tensor.clone() for k, tensor in run.parameters.items()}
    effect = probe.effect(run, batch)
    assert effect.shape == (len(batch),), f"{probe}: expected a number for each example"
    assert torch.isfinite(effect).all(), f"{probe} is not finite: {effect}"
    assert (effect >= 0).all(), f"{probe} is below 0: {effect}"
    assert torch.equal(probe.effect(run, batch), effect), f"{probe} is another one the second time"
    same = torch.equal(kept.inputs, batch.inputs) and torch.equal(kept.mask, batch.mask)
    assert same, f"{probe} changes the batch"
    assert all(torch.equal(weights[k], tensor) for k, tensor in run.parameters.items()), (
        f"{probe} changes the weights"
    )
    for row in range(len(batch)):
        alone = probe.effect(run, batch.take(torch.tensor([row], device=effect.device)))
        assert _near(alone[0], effect[row]), f"{probe} depends on the batch"
    assert _near(probe.effect(run, pad(batch, 3)), effect), f"{probe} depends on padding"


def _near(a: Tensor, b: Tensor) -> bool:
    return torch.allclose(a, b, atol=NEAR)
