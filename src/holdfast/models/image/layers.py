"""Layers of the strip cells: ``Wx − softplus(b)``, dense or convolved, alone or with a recurrent input.

The bias is never positive, as deep Taylor assumes; weights start normal with σ = 1/√fan_in, cut at 2σ, and
softplus(b) at 0.01 unless the architecture says otherwise (Chormai §4.1).
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from holdfast.core.rules import Domain, Part, Rules, affine, matmul, rectified

Op = Callable[[Tensor, Tensor], Tensor]
FIRST_BIAS = 0.01
POOL = 2


def cut_normal(shape: tuple[int, ...], fan_in: int) -> nn.Parameter:
    """Normal weights, σ = 1/√fan_in, cut at 2σ (Chormai §4.1).

    >>> bool(cut_normal((100, 20), 100).abs().max() <= 0.2)
    True
    """
    sigma = fan_in**-0.5
    return nn.Parameter(nn.init.trunc_normal_(torch.empty(shape), std=sigma, a=-2 * sigma, b=2 * sigma))


def first_bias(size: int, start: float = FIRST_BIAS) -> nn.Parameter:
    """b such that softplus(b) is ``start``.

    >>> F.softplus(first_bias(2))
    tensor([0.0100, 0.0100], grad_fn=<SoftplusBackward0>)
    """
    return nn.Parameter(torch.full((size,), math.log(math.expm1(start))))


def same(x: Float[Tensor, "N C H W"], weight: Float[Tensor, "O C k k"]) -> Float[Tensor, "N O H W"]:
    """A convolution whose output is as large as its input."""
    return F.conv2d(x, weight, padding=weight.shape[-1] // 2)


def pool(x: Float[Tensor, "N C H W"]) -> Float[Tensor, "N C h w"]:
    """Average pooling of 2 × 2, times 2; a window over the edge counts only what it holds.

    >>> pool(torch.ones(1, 1, 3, 4)).shape, float(pool(torch.ones(1, 1, 3, 4)).mean())
    (torch.Size([1, 1, 2, 2]), 2.0)
    """
    return F.avg_pool2d(x, POOL, ceil_mode=True) * 2.0


class Layer(nn.Module):
    """``op(x, W) − softplus(b)``; with ``extra`` (dense) a second part of the input, the recurrent one.

    ``over_time`` makes what does not depend on the step before for all steps at once, ``step`` adds the rest
    and rectifies it. Under rules both parts share one denominator; ``ahead`` lets them make of the input what
    they can.
    """

    def __init__(self, op: Op, shape: tuple[int, ...], extra: tuple[int, ...] | None = None) -> None:
        super().__init__()
        dense = len(shape) == 2
        fan_in = sum(_fan_in(part, dense) for part in (shape, extra) if part is not None)
        self.op = op
        self.weight = cut_normal(shape, fan_in)
        self.state = None if extra is None else cut_normal(extra, fan_in)
        self.offset = first_bias(shape[1] if dense else shape[0])

    @property
    def bias(self) -> Tensor:
        """``−softplus(b)``, shaped to be added."""
        bias = -F.softplus(self.offset)
        return bias if self.weight.dim() == 2 else bias[:, None, None]

    def forward(self, x: Tensor, rules: Rules | None, domain: Domain = "positive") -> Tensor:
        """The layer without its recurrent part."""
        return affine(rules, [Part(self.op, x, self.weight, domain)], self.bias)

    def rectified(self, x: Tensor, rules: Rules | None, domain: Domain = "positive") -> Tensor:
        """The same behind a ReLU."""
        return rectified(rules, [Part(self.op, x, self.weight, domain)], self.bias)

    def over_time(self, x: Tensor, rules: Rules | None) -> Tensor:
        """What ``step`` is to be given, for all steps."""
        return x if rules is not None else self(x, None)

    def ahead(self, x: Tensor, rules: Rules, domain: Domain) -> tuple[Tensor, Domain]:
        """What the rules can make of the input for all steps at once, and what it then is."""
        part = rules.ahead(Part(self.op, x, self.weight, domain), rectified=True)
        return part.x, part.domain

    def step(self, x: Tensor, state: Tensor, rules: Rules | None, domain: Domain = "positive") -> Tensor:
        """The layer at one step, behind a ReLU; ``state`` is its recurrent input, behind a ReLU."""
        assert self.state is not None
        if rules is None:
            return torch.addmm(x, state, self.state).relu()
        parts = [Part(self.op, x, self.weight, domain), Part(self.op, state, self.state, "positive")]
        return rectified(rules, parts, self.bias)


def dense(inputs: int, outputs: int, extra: int | None = None) -> Layer:
    """A fully-connected layer; ``extra`` recurrent inputs join the others.

    >>> sum(p.numel() for p in dense(196, 256, extra=256).parameters())
    115968
    """
    return Layer(matmul, (inputs, outputs), None if extra is None else (extra, outputs))


def conv(channels: int, filters: int, kernel: int, op: Op = same) -> Layer:
    """A convolution."""
    return Layer(op, (filters, channels, kernel, kernel))


def _fan_in(shape: tuple[int, ...], dense: bool) -> int:
    return shape[0] if dense else math.prod(shape[1:])


class Drop(NamedTuple):
    """Dropout from given draws: one for each step (B, T, width), or one for all steps (B, width)."""

    noise: dict[str, Tensor]
    rate: float

    def keep(self, name: str) -> Tensor | None:
        """``1[u ≥ rate] / (1 − rate)``; ``None`` where nothing is dropped."""
        if self.rate == 0.0 or name not in self.noise:
            return None
        return (self.noise[name] >= self.rate) / (1.0 - self.rate)

    def over_time(self, x: Float[Tensor, "B T m"], name: str) -> Float[Tensor, "B T m"]:
        """Drop from the activations of all steps."""
        keep = self.keep(name)
        if keep is None:
            return x
        return x * (keep if keep.dim() == x.dim() else keep[:, None])

    def steps(self, name: str, length: int) -> list[Tensor | None]:
        """The factors of each step."""
        keep = self.keep(name)
        if keep is None or keep.dim() == 2:
            return [keep] * length
        return list(keep.unbind(1))


def dropped(x: Tensor, keep: Tensor | None) -> Tensor:
    """``x · keep``, or ``x`` where nothing is dropped."""
    return x if keep is None else x * keep
