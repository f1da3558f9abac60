"""A convolution as one product of rows: fast for narrow strips, on a CPU and for stacked members on a GPU.

Maps are kept as (N, H, W·C). A row of the output depends on k rows of the input, so the whole layer is those
rows side by side times one banded matrix, made of the filters once a pass. Stacked members are then a batched
product, where convolutions would be grouped: on an H200 a training step of twelve members took 1.4 to 1.5
times as long with those.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from holdfast.core.rules import Domain, Part, Rules, rectified
from holdfast.models.image.layers import cut_normal, first_bias


class Convolution(nn.Module):
    """``ReLU(W ∗ x − softplus(b))``, as large as its input; with ``literal`` connections it also sees its own
    output of the step before (Chormai Figure 4.15). At a hole that output passes unchanged."""

    def __init__(self, channels: int, filters: int, kernel: int, literal: bool) -> None:
        super().__init__()
        fan_in = (channels + (filters if literal else 0)) * kernel**2
        self.weight = cut_normal((filters, channels, kernel, kernel), fan_in)
        self.state = cut_normal((filters, filters, kernel, kernel), fan_in) if literal else None
        self.offset = first_bias(filters)

    def forward(
        self,
        x: Float[Tensor, "*L N H R"],
        mask: Bool[Tensor, "B T"],
        rules: Rules | None,
        domain: Domain,
    ) -> Float[Tensor, "N H Q"]:
        """The activations of all steps."""
        width = x.shape[-1] // self.weight.shape[1]
        matrix, bias = banded(self.weight, width), -F.softplus(self.offset).repeat(width)
        if self.state is None:
            return rectified(rules, [Part(along_rows, x, matrix, domain)], bias)
        # without rules, what does not depend on the step before is made for all steps at once
        ahead = x if rules is not None else along_rows(x, matrix) + bias
        state = ahead.new_zeros(mask.shape[0], ahead.shape[-2], len(bias))
        recurrent, states = banded(self.state, width), []
        steps = torch.unflatten(ahead, -3, mask.shape).unbind(-3)
        for here, exists in zip(steps, mask.unbind(-1), strict=True):
            if rules is None:
                new = (here + along_rows(state, recurrent)).relu()
            else:
                parts = [
                    Part(along_rows, here, matrix, domain),
                    Part(along_rows, state, recurrent, "positive"),
                ]
                new = rectified(rules, parts, bias)
            state = torch.where(exists[:, None, None], new, state)
            states.append(state)
        return torch.stack(states, 1).flatten(0, 1)


def along_rows(x: Float[Tensor, "N H R"], matrix: Float[Tensor, "kR Q"]) -> Float[Tensor, "N H Q"]:
    """Each row with its neighbours above and below, times the matrix; beyond the edges there are zeros."""
    height, kernel = x.shape[-2], matrix.shape[0] // x.shape[-1]
    padded = F.pad(x, (0, 0, kernel // 2, kernel // 2))
    return torch.cat([padded[..., i : i + height, :] for i in range(kernel)], -1) @ matrix


def banded(weight: Float[Tensor, "O C k k"], width: int) -> Float[Tensor, "kWC WO"]:
    """The filters as a matrix from k rows of the input to one of the output.

    >>> banded(torch.tensor([[[[1.0, 2.0, 3.0]] * 3]]), 2)[:2]
    tensor([[2., 1.],
            [3., 2.]])
    """
    filters, channels, kernel, _ = weight.shape
    place = torch.arange(width, device=weight.device)
    tap = (
        place[:, None] - place + kernel // 2
    )  # which tap leads from a place of the input to one of the output
    leads = torch.arange(kernel, device=weight.device)[:, None] == tap.flatten()
    # a product, not a gather: the gradient of a gather adds up in no fixed order on a GPU
    taps = (weight @ leads.to(weight.dtype)).view(filters, channels, kernel, width, width)
    return taps.permute(2, 3, 1, 4, 0).reshape(kernel * width * channels, width * filters)


def halved(x: Float[Tensor, "N H R"], channels: int) -> Float[Tensor, "N h r"]:
    """Average pooling of 2 × 2, times 2; a window over the edge counts only what it holds.

    >>> halved(torch.arange(6.0).view(1, 2, 3), channels=1)
    tensor([[[4., 7.]]])
    """
    maps = _pairs(_pairs(torch.unflatten(x, -1, (-1, channels)), -3), -2)
    return 2.0 * maps.flatten(-2)


def _pairs(x: Tensor, dim: int) -> Tensor:
    """Means of two neighbours along an axis; what is left over stays."""
    even = x.shape[dim] // 2 * 2
    means = torch.unflatten(x.narrow(dim, 0, even), dim, (-1, 2)).mean(dim)
    return means if even == x.shape[dim] else torch.cat([means, x.narrow(dim, even, 1)], dim)
