"""What goes through the door ``Edit.attention``: weights in place of the model's own."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool
from torch import Tensor

from holdfast.core.records import Site


def instead(given: Tensor, weights: Tensor, site: Site) -> Tensor:
    """Other weights, whatever the model's are."""
    return given


def shifted(shift: Tensor, weights: Tensor, site: Site) -> Tensor:
    """``softmax(log w + r)``: the scores before the softmax moved by ``r``. Weights sum to what they did.

    >>> half = torch.tensor([[0.5, 0.5]])
    >>> site = Site(0, "pool", torch.tensor([[True, True]]))
    >>> shifted(torch.tensor([[0.0, 1.0]]), half, site)
    tensor([[0.2689, 0.7311]])
    """
    known = shift.masked_fill(~site.allowed, torch.finfo(shift.dtype).min)
    moved = weights * (known - known.detach().amax(-1, keepdim=True)).exp()
    total = moved.sum(-1, keepdim=True)
    return moved * weights.sum(-1, keepdim=True) / torch.where(total > 0, total, 1.0)


def among(kept: Bool[Tensor, "S T"], weights: Tensor, site: Site) -> Tensor:
    """Attention among what is kept, which sums to what it did; where nothing is, 0.

    NaN where softmax rounded all that is kept to 0, or nearly: what it was cannot be told.
    """
    keys = F.pad(kept, (0, weights.shape[-1] - kept.shape[-1]), value=True)
    keys = keys.view(len(keys), *[1] * (weights.dim() - 2), -1)
    left = weights * keys
    total, limits = left.sum(-1, keepdim=True), torch.finfo(left.dtype)
    told = (total > limits.tiny / limits.eps) | ~(site.allowed & keys).any(-1, keepdim=True)
    return torch.where(told, left / total.clamp_min(limits.tiny), torch.nan)
