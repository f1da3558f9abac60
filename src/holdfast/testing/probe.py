"""The contract of a probe, as checks: ``check_probe(Yours(), run, batch, scores)`` runs them all."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.measure.probes.base import Probe
from holdfast.models.run import Run


def check_probe(probe: Probe, run: Run, batch: Batch, scores: Float[Tensor, "B P"]) -> None:
    """Run every check of the contract; an ``AssertionError`` names the promise that is broken.

    ``batch`` has targets, and examples that are not all alike.
    """
    for check in CHECKS:
        check(probe, run, batch, scores)


def check_shape(probe: Probe, run: Run, batch: Batch, scores: Tensor) -> None:
    """One number a part, finite predictions, and the untouched input first."""
    parts, curve = probe.parts(batch, scores), _curve(probe, run, batch, scores)
    assert parts.shape[:-1] == (len(batch),), f"{probe}: expected a number for each part of each example"
    assert curve.ndim == 2, f"{probe}: expected a curve for each example"
    assert len(curve) == len(batch), f"{probe}: expected a curve for each example"
    assert torch.isfinite(curve).all(), f"{probe} is not finite: {curve}"
    flat = _curve(probe, run, batch, -scores)
    assert torch.allclose(curve[:, 0], flat[:, 0]), f"{probe}: the first step depends on the scores"


def check_scores_matter(probe: Probe, run: Run, batch: Batch, scores: Tensor) -> None:
    """The opposite order gives another curve, another unit of the scores the same."""
    curve = _curve(probe, run, batch, scores)
    assert not torch.allclose(curve, _curve(probe, run, batch, -scores)), f"{probe} does not read the scores"
    assert torch.allclose(curve, _curve(probe, run, batch, scores * 2.0)), f"{probe} depends on their unit"


def check_batch(probe: Probe, run: Run, batch: Batch, scores: Tensor) -> None:
    """An example alone has the curve it has among others."""
    curve = _curve(probe, run, batch, scores)
    for row in range(len(batch)):
        one = torch.tensor([row], device=scores.device)
        alone = _curve(probe, run, batch.take(one), scores[one])
        assert torch.allclose(alone[0], curve[row], atol=1e-6), f"{probe} depends on the batch"


def check_vmap(probe: Probe, run: Run, batch: Batch, scores: Tensor) -> None:
    """Mapped over members' scores, the curves are the same."""
    many = torch.stack((scores, -scores))
    mapped = torch.func.vmap(lambda one: _curve(probe, run, batch, one))(many)
    alone = torch.stack([_curve(probe, run, batch, one) for one in many])
    assert torch.allclose(mapped, alone, atol=1e-6), f"{probe} differs under vmap"
    assert torch.allclose(probe.parts(batch, many)[0], probe.parts(batch, scores)), (
        f"{probe} does not take the scores of many members at once"
    )


def check_untouched(probe: Probe, run: Run, batch: Batch, scores: Tensor) -> None:
    """The inputs are as they were."""
    kept, before = batch.map(torch.clone), scores.clone()
    _curve(probe, run, batch, scores)
    same = torch.equal(kept.inputs, batch.inputs) and torch.equal(kept.mask, batch.mask)
    assert same, f"{probe} changes the batch"
    assert torch.equal(before, scores), f"{probe} changes the scores"


def check_orders(probe: Probe, run: Run, batch: Batch, scores: Tensor) -> None:
    """Several orders at once have the curves that each has alone, and a curve one finite drop."""
    assert batch.targets is not None
    many = torch.stack([probe.parts(batch, own) for own in (scores, -scores)])
    together = probe.orders(run, batch, many, batch.targets)
    alone = torch.stack([probe.curve(run, batch, parts, batch.targets) for parts in many])
    assert together.shape == alone.shape, f"{probe}: expected a curve for each order of each example"
    assert torch.allclose(together, alone, atol=1e-6), f"{probe}: orders at once differ from each alone"
    drops = probe.drop(together)
    assert drops.shape == alone.shape[:-1], f"{probe}: expected one drop for each curve"
    assert torch.isfinite(drops).all(), f"{probe}: its drops are not finite: {drops}"
    low, high = probe.bounds
    assert low <= float(drops.min()) <= float(drops.max()) <= high, (
        f"{probe}: expected drops between {low} and {high}, but got {drops}"
    )


def check_direction(probe: Probe, run: Run, batch: Batch, scores: Tensor) -> None:
    """What is worth most alone first is better than last, on average, if the probe can say what that is."""
    assert batch.targets is not None
    parts = probe.alone(run, batch, batch.targets)
    if parts is None:
        return
    opposite = torch.where(parts > -torch.inf, -parts, -torch.inf)
    best, worst = probe.drop(probe.orders(run, batch, torch.stack((parts, opposite)), batch.targets)).mean(-1)
    better = best > worst if probe.higher_is_better else best < worst
    word = "higher" if probe.higher_is_better else "lower"
    assert better, (
        f"{probe}: expected {word} to be better, but leave-one-out's order gives {best}, the opposite {worst}"
    )


CHECKS: tuple[Callable[[Probe, Run, Batch, Tensor], None], ...] = (
    check_shape,
    check_scores_matter,
    check_batch,
    check_vmap,
    check_untouched,
    check_orders,
    check_direction,
)


def _curve(probe: Probe, run: Run, batch: Batch, scores: Tensor) -> Tensor:
    assert batch.targets is not None
    return probe.curve(run, batch, probe.parts(batch, scores), batch.targets)
