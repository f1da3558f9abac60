"""Is relevance where it should be: on the blocks that decide, at the steps that carry ink, and all of it?

Values are per instance. ``known`` is False where a value has no meaning (no relevance at all); the value is 0
there and is left out of every mean.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.compare.ranks import unit
from holdfast.core.errors import BadSetting
from holdfast.measure.reduce import Interval, mean_over_members


class Located(NamedTuple):
    """A value of every instance, and where it means something."""

    values: Float[Tensor, "*I"]
    known: Bool[Tensor, "*I"]


@dataclass(frozen=True)
class Gap:
    """Relevance that was lost on the way, as a share of the evidence that was explained.

    ``lost`` is ``Σ |lost| / Σ |evidence|`` of each member, over members; the others are quantiles of the
    instances' own shares, all members together. ``unknown`` counts instances without evidence.
    """

    lost: Interval
    median: float
    high: float
    worst: float
    unknown: int


def in_blocks(scores: Float[Tensor, "*I P"], blocks: int, positive: bool = False) -> Float[Tensor, "*I K"]:
    """The sum over each of ``blocks`` equal, contiguous parts: images side by side, or the steps of a strip.

    ``positive`` drops negative relevance first, pixel by pixel (Chormai §4.3.2 does so for LRP).

    >>> in_blocks(torch.tensor([1.0, -3.0, 2.0, 2.0]), 2, positive=True)
    tensor([1., 4.])
    """
    pixels = scores.shape[-1]
    if blocks < 1 or pixels % blocks:
        raise BadSetting(f"expected blocks to divide the {pixels} scores of an example, but got {blocks}")
    kept = scores.clamp(min=0.0) if positive else scores
    return kept.reshape(*kept.shape[:-1], blocks, pixels // blocks).sum(-1)


def share(blocks: Float[Tensor, "*I K"], truth: Float[Tensor, "*J K"]) -> Located:
    """The share of relevance on the true blocks: ``Σ_true R / Σ R`` (Chormai §4.3.2).

    Unknown where relevance does not sum to more than 0. It is 1 even if one of two true blocks is empty
    (Figure 4.10): see :func:`cosine`.

    >>> share(torch.tensor([3.0, 0.0, 1.0]), torch.tensor([1.0, 1.0, 0.0])).values
    tensor(0.7500)
    """
    true = _true(blocks, truth)
    # Dividing by the peak first keeps the sum of tiny relevance above 0.
    peak = blocks.abs().amax(-1, keepdim=True)
    scaled = blocks / torch.where(peak > 0, peak, 1.0)
    total = scaled.sum(-1)
    # what is left of parts that cancel is rounding, and no relevance
    known = total > 8 * torch.finfo(total.dtype).eps * scaled.abs().sum(-1)
    found = torch.where(true, scaled, 0.0).sum(-1) / torch.where(known, total, 1.0)
    return Located(torch.where(known, found, 0.0), known)


def cosine(blocks: Float[Tensor, "*I K"], truth: Float[Tensor, "*J K"]) -> Located:
    """Cosine of the relevance per block with (1 if the block is true): ``v·m / (‖v‖ ‖m‖)`` (Chormai §4.3.2).

    1 only if the true blocks share relevance equally and the others have none; 1/√2 where one of two true
    blocks has all; √(true/K) where relevance is spread evenly, 0.816 for two of three: read it beside that.
    Shares and sums have the same cosine; the sums' sign is kept where they are negative.

    >>> cosine(torch.tensor([1.0, 0.0, 0.0]), torch.tensor([1.0, 1.0, 0.0])).values
    tensor(0.7071)
    """
    true = _true(blocks, truth)
    known = (blocks != 0).any(-1) & true.any(-1)
    found = (unit(blocks) * unit(true.to(blocks.dtype))).sum(-1)
    return Located(torch.where(known, found.clamp(-1.0, 1.0), 0.0), known)


def over_time(steps: Float[Tensor, "*I T"]) -> Float[Tensor, "*I T"]:
    """Relevance (or ink) per step as a distribution over steps: ``R_t⁺ / Σ R_t⁺`` (Chormai Figure 4.7).

    A step that speaks against takes no share; where none speaks for, all are 0.

    >>> over_time(torch.tensor([1.0, 3.0, -1.0]))
    tensor([0.2500, 0.7500, 0.0000])
    """
    kept = steps.clamp(min=0.0)
    peak = kept.amax(-1, keepdim=True)
    scaled = kept / torch.where(peak > 0, peak, 1.0)
    return scaled / scaled.sum(-1, keepdim=True).clamp(min=1.0)


def moved(steps: Float[Tensor, "*I T"], ink: Float[Tensor, "*J T"]) -> Located:
    """How much of the relevance lies at other steps than the ink: ``½ Σ |p_t − q_t|``, in [0, 1].

    >>> moved(torch.tensor([0.0, 1.0]), torch.tensor([3.0, 1.0])).values
    tensor(0.7500)
    """
    p, q, known = _two(steps, ink)
    return Located(torch.where(known, (p - q).abs().sum(-1) / 2, 0.0), known)


def moved_by(steps: Float[Tensor, "*I T"], ink: Float[Tensor, "*J T"]) -> Located:
    """How far relevance is from the ink in time: the earth mover's distance ``Σ |P_t − Q_t| / (T − 1)``.

    ``P`` and ``Q`` are cumulative. 1 means all of it at the other end of the sequence; :func:`moved` does not
    see whether a step is the next one or the last one.

    >>> moved_by(torch.tensor([0.0, 0.0, 1.0]), torch.tensor([1.0, 0.0, 0.0])).values
    tensor(1.)
    """
    p, q, known = _two(steps, ink)
    far = (p - q).cumsum(-1)[..., :-1].abs().sum(-1) / max(p.shape[-1] - 1, 1)
    return Located(torch.where(known, far, 0.0), known)


def each_member(located: Located) -> Float[Tensor, "*M"]:
    """The mean over the instances that are known (last axis), in float64.

    >>> each_member(Located(torch.tensor([[1.0, 0.0]]), torch.tensor([[True, False]])))
    tensor([1.], dtype=torch.float64)
    """
    values, known = located.values.double(), located.known
    count = known.sum(-1)
    if (count == 0).any():
        raise BadSetting(
            "expected relevance for at least one example of each member, but a member has none: "
            "explain more examples, or use another explainer"
        )
    return torch.where(known, values, 0.0).sum(-1) / count


def conservation(lost: Float[Tensor, "M B"], evidence: Float[Tensor, "M B"]) -> Gap:
    """How much relevance was lost: ``f(x) − Σ R``, as a share of ``f(x)`` (Chormai §3.2.3: it should be 0).

    >>> conservation(torch.tensor([[0.0, 0.5]]), torch.tensor([[2.0, -2.0]])).lost.value
    0.125
    """
    if lost.shape != evidence.shape or lost.ndim != 2:
        raise BadSetting(
            "expected lost and evidence of shape (members, examples), "
            f"but got {tuple(lost.shape)} and {tuple(evidence.shape)}"
        )
    gone, whole = lost.double().abs(), evidence.double().abs()
    known = whole > 0
    if not known.any(-1).all():
        raise BadSetting("expected evidence other than 0 for an example of each member, but there is none")
    each = (gone[known] / whole[known]).sort().values
    median, high = (each[round(at * (len(each) - 1))].item() for at in (0.5, 0.95))
    total = mean_over_members(gone.sum(-1) / whole.sum(-1))
    return Gap(total, median, high, each[-1].item(), int((~known).sum()))


def _true(blocks: Tensor, truth: Tensor) -> Bool[Tensor, "*I K"]:
    if truth.shape[-1] != blocks.shape[-1]:
        raise BadSetting(
            f"expected truth for {blocks.shape[-1]} blocks, but got {truth.shape[-1]}: sum it with in_blocks"
        )
    return (truth > 0).to(blocks.device).expand_as(blocks)


def _two(steps: Tensor, ink: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    if ink.shape[-1] != steps.shape[-1]:
        raise BadSetting(f"expected ink for {steps.shape[-1]} steps, but got {ink.shape[-1]}")
    p, q = over_time(steps), over_time(ink.to(steps)).expand_as(steps)
    return p, q, (p > 0).any(-1) & (q > 0).any(-1)
