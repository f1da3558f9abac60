"""Is relevance where it should be: on the blocks that decide, at the steps with ink, and none of it lost?

Values are per instance. ``known`` is False where a value has no meaning (no relevance at all); the value is 0
there and is left out of every mean.
"""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.compare.ranks import unit
from holdfast.core.errors import BadSetting
from holdfast.measure.reduce import Interval, mean_over_members


class Located(NamedTuple):
    """A value for every instance, and whether it means something."""

    values: Float[Tensor, "*I"]
    known: Bool[Tensor, "*I"]


def share(blocks: Float[Tensor, "*I K"], truth: Float[Tensor, "*J K"]) -> Located:
    """The share of relevance on the true blocks: ``Σ_true R / Σ R`` (Chormai §4.3.2).

    Unknown where relevance does not sum to more than 0. It is 1 even if one of two true blocks is empty
    (Figure 4.10): see :func:`cosine`.

    >>> share(torch.tensor([3.0, 0.0, 1.0]), torch.tensor([1.0, 1.0, 0.0])).values
    tensor(0.7500)
    """
    true = _true(blocks, truth)
    scaled, total, known = _scaled(blocks)
    shares = torch.where(true, scaled, 0.0).sum(-1) / torch.where(known, total, 1.0)
    return Located(torch.where(known, shares, 0.0), known)


def cosine(blocks: Float[Tensor, "*I K"], truth: Float[Tensor, "*J K"]) -> Located:
    """Cosine of the share per block with (1 if the block is true): ``v·m / (‖v‖ ‖m‖)`` (Chormai (4.1)).

    1 only if the true blocks share relevance equally and the others have none; 1/√2 where one of two true
    blocks has all; √(true/K) where relevance is spread evenly, 0.816 for two of three: read it beside that.
    Unknown where :func:`share` is: relevance that does not sum to more than 0 has no shares.

    >>> cosine(torch.tensor([1.0, 0.0, 0.0]), torch.tensor([1.0, 1.0, 0.0])).values
    tensor(0.7071)
    """
    true = _true(blocks, truth)
    known = _scaled(blocks)[2] & true.any(-1)
    cosines = (unit(blocks) * unit(true.to(blocks.dtype))).sum(-1)
    return Located(torch.where(known, cosines.clamp(-1.0, 1.0), 0.0), known)


def over_time(steps: Float[Tensor, "*I T"]) -> Float[Tensor, "*I T"]:
    """Relevance (or ink) per step as a distribution over steps: ``R_t⁺ / Σ R_t⁺`` (Chormai Figure 4.7).

    A step with negative relevance has no share; where no step is positive, all shares are 0.

    >>> over_time(torch.tensor([1.0, 3.0, -1.0]))
    tensor([0.2500, 0.7500, 0.0000])
    """
    kept = steps.clamp(min=0.0)
    peak = kept.amax(-1, keepdim=True)
    scaled = kept / torch.where(peak > 0, peak, 1.0)
    return scaled / scaled.sum(-1, keepdim=True).clamp(min=1.0)


def moved_by(steps: Float[Tensor, "*I T"], ink: Float[Tensor, "*J T"]) -> Located:
    """How far relevance is from the ink in time: the earth mover's distance ``Σ |P_t − Q_t| / (T − 1)``.

    ``P`` and ``Q`` are cumulative. 1 means that all of it is at the other end of the sequence; unknown for a
    single step, which has no other end.

    >>> moved_by(torch.tensor([0.0, 0.0, 1.0]), torch.tensor([1.0, 0.0, 0.0])).values
    tensor(1.)
    """
    p, q, known = _two(steps, ink)
    if p.shape[-1] == 1:
        known = torch.zeros_like(known)
    distance = (p - q).cumsum(-1)[..., :-1].abs().sum(-1) / max(p.shape[-1] - 1, 1)
    return Located(torch.where(known, distance, 0.0), known)


def each_member(located: Located) -> Located:
    """The mean over the instances that are known (last axis), in float64; unknown for a member without any.

    >>> each_member(Located(torch.tensor([[1.0, 0.0]]), torch.tensor([[True, False]]))).values
    tensor([1.], dtype=torch.float64)
    """
    values, known = located.values.double(), located.known
    count = known.sum(-1)
    return Located(torch.where(known, values, 0.0).sum(-1) / count.clamp(min=1), count > 0)


def conservation(lost: Float[Tensor, "M B"], evidence: Float[Tensor, "M B"]) -> Interval:
    """How much relevance was lost: ``Σ |f(x) − Σ R| / Σ |f(x)|`` of each member, over members that have
    evidence (Chormai §3.2.4, (3.35): it should be 0).

    >>> conservation(torch.tensor([[0.0, 0.5]]), torch.tensor([[2.0, -2.0]])).value
    0.125
    """
    if lost.shape != evidence.shape or lost.ndim != 2:
        raise BadSetting(
            "expected lost and evidence of shape (members, examples), "
            f"but got {tuple(lost.shape)} and {tuple(evidence.shape)}"
        )
    gone, whole = lost.double().abs().sum(-1), evidence.double().abs().sum(-1)
    if not bool((whole > 0).any()):
        raise BadSetting("expected evidence other than 0 for an example of a member, but there is none")
    return mean_over_members((gone / whole)[whole > 0])


def _scaled(blocks: Float[Tensor, "*I K"]) -> tuple[Tensor, Tensor, Tensor]:
    """Relevance over its peak, its sum, and whether that is more than 0."""
    # dividing by the peak first keeps the sum of tiny relevance above 0
    peak = blocks.abs().amax(-1, keepdim=True)
    scaled = blocks / torch.where(peak > 0, peak, 1.0)
    total = scaled.sum(-1)
    # where parts cancel, what is left is rounding, not relevance
    return scaled, total, total > 8 * torch.finfo(total.dtype).eps * scaled.abs().sum(-1)


def _true(blocks: Tensor, truth: Tensor) -> Bool[Tensor, "*I K"]:
    if truth.shape[-1] != blocks.shape[-1]:
        raise BadSetting(
            f"expected truth for {blocks.shape[-1]} blocks, but got {truth.shape[-1]}: say it per block"
        )
    return (truth > 0).to(blocks.device).expand_as(blocks)


def _two(steps: Tensor, ink: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    if ink.shape[-1] != steps.shape[-1]:
        raise BadSetting(f"expected ink for {steps.shape[-1]} steps, but got {ink.shape[-1]}")
    p, q = over_time(steps), over_time(ink.to(steps)).expand_as(steps)
    return p, q, (p > 0).any(-1) & (q > 0).any(-1)
