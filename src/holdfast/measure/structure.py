"""Structure inside a heat map: does relevance follow the strokes, or only lie in the right block?

The share and the cosine see one number per block, so a blurred block and a drawn digit are the same to them
(Chormai §4.4.2 names this as open). This measure looks inside each true block.
"""

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.core.compare.ranks import average_ranks
from holdfast.core.errors import BadSetting
from holdfast.measure.localisation import Located


def structure(
    scores: Float[Tensor, "*M B K p"],
    ink: Float[Tensor, "B K p"],
    truth: Float[Tensor, "B K"] | None = None,
    other: Float[Tensor, "B K p"] | None = None,
) -> Located:
    """How well positive relevance ranks the pixels of a true block as the ink does, averaged over blocks.

    ``Σ_{i<j} (x_i − x_j) sign(R⁺_i − R⁺_j) / Σ_{i<j} |x_i − x_j|`` (Gini's correlation, Schechtman & Yitzhaki
    1987; for black and white ink it is 2 AUC − 1). 1: wherever there is more ink there is more relevance;
    0: what pixels shuffled within the block give on average; −1: all of it beside the ink. Unknown where no
    true block has ink that varies.

    The last two axes are blocks and the pixels of each. ``other`` is the ink of other images: what the same
    map scores on them is subtracted, so that a map that merely knows where images usually have ink gets 0.

    >>> ink = torch.tensor([[[0.0, 0.5, 1.0, 0.0]]])
    >>> structure(torch.tensor([[[[0.0, 2.0, 3.0, 0.0]]], [[[2.0, 1.0, 0.0, 2.0]]]]), ink).values
    tensor([[ 1.],
            [-1.]])
    """
    if ink.shape != scores.shape[-3:]:
        raise BadSetting(f"expected ink of shape {tuple(scores.shape[-3:])}, but got {tuple(ink.shape)}")
    rank = _ranks(scores.clamp(min=0.0))
    on_ink = _mean(rank, ink, truth)
    if other is None:
        return on_ink
    on_other = _mean(rank, other, truth)
    known = on_ink.known & on_other.known
    return Located(torch.where(known, on_ink.values - on_other.values, 0.0), known)


def _mean(rank: Tensor, ink: Tensor, truth: Tensor | None) -> Located:
    """Over the true blocks whose ink varies."""
    ink = ink.to(rank)
    best = (ink * _ranks(ink)).sum(-1)
    counts = best > 0 if truth is None else (best > 0) & (truth > 0).to(rank.device)
    each = (ink * rank).sum(-1) / torch.where(counts, best, 1.0)
    mean = torch.where(counts, each, 0.0).sum(-1) / counts.sum(-1).clamp(min=1)
    return Located(mean.clamp(-1.0, 1.0), counts.any(-1).expand_as(mean))


def _ranks(values: Tensor) -> Float[Tensor, "*I K p"]:
    """Twice the centred rank within the block, highest value highest: ``Σ_j sign(v_i − v_j)``."""
    return (values.shape[-1] - 1) - 2 * average_ranks(values)
