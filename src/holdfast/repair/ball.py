"""A ball around attention weights, and the way to its worst point: projected gradient ascent."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar, get_args

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.func import grad

from holdfast.core.draws import expanded, normal
from holdfast.core.errors import BadSetting
from holdfast.core.settings import at_most
from holdfast.repair.adversary import scaled

Norm = Literal["l2", "linf"]
Harm = Callable[[Tensor], Tensor]  # of δ, one number for each example
S = TypeVar("S")
Look = Callable[[Tensor], tuple[Tensor, S]]  # the same, and what else is seen there
STRIDE = 2.5  # radii that all steps together can walk: from anywhere inside to anywhere else (Madry et al.)


@dataclass(frozen=True)
class Ball:
    """``{δ : ‖δ‖ ≤ R}``, δ of each example by itself and 0 where no position exists; ``steps`` of length
    ``size``, or ``2.5 R / steps``, go uphill in it (Madry et al. 2018).

    >>> Ball(radius=1.0).project(torch.tensor([[3.0, 4.0]]), torch.tensor([[True, True]]))
    tensor([[0.6000, 0.8000]])
    """

    radius: float = 0.1
    norm: Norm = "l2"
    steps: int = 10
    size: float | None = None

    def check(self, name: str) -> None:
        """Refuse a ball that has only one point, and steps that go nowhere."""
        if not 0 < self.radius < math.inf:
            raise BadSetting(f"{name}: expected radius above 0, but got {self.radius}")
        if self.norm not in get_args(Norm):
            raise BadSetting(f"{name}: expected norm to be l2 or linf, but got {self.norm}")
        if self.steps < 0:
            raise BadSetting(f"{name}: expected steps of at least 0, but got {self.steps}")
        at_most(f"{name}: expected steps", self.steps, 10_000)
        if self.size is not None and not 0 < self.size < math.inf:
            raise BadSetting(f"{name}: expected size above 0, or none, but got {self.size}")

    def inside(
        self, drawn: Float[Tensor, "B 2"], exists: Bool[Tensor, "B T"], turn: int = 0
    ) -> Float[Tensor, "B T"]:
        """A point of the ball, each as likely as any other."""
        width = exists.shape[-1]
        if self.norm == "linf":
            return (2 * expanded(drawn, width, turn) - 1) * self.radius * exists
        # of n dimensions the share u has the radius u^(1/n)
        share = expanded(drawn, 1, -1 - turn)
        length = share ** (1 / exists.sum(-1, keepdim=True).clamp(min=1))
        return scaled(normal(drawn, width, turn) * exists, self.radius) * length

    def project(self, delta: Float[Tensor, "B T"], exists: Bool[Tensor, "B T"]) -> Float[Tensor, "B T"]:
        """The nearest point of the ball."""
        delta = delta * exists
        if self.norm == "linf":
            return delta.clamp(-self.radius, self.radius)
        norm = delta.norm(dim=-1, keepdim=True)
        return delta * (self.radius / torch.where(norm > self.radius, norm, self.radius))

    def way(self, harm: Harm, start: Tensor, exists: Bool[Tensor, "B T"]) -> Iterator[Float[Tensor, "B T"]]:
        """Where each step leads: uphill, and back into the ball; first the start itself."""
        delta = start
        yield delta
        for _ in range(self.steps):
            delta = self._uphill(delta, grad(lambda at: harm(at).sum())(delta), exists)
            yield delta

    def seen(self, look: Look[S], start: Tensor, exists: Bool[Tensor, "B T"]) -> Iterator[S]:
        """What is seen at each point of that way; ``look`` gives the harm, and it, in one pass."""

        def total(at: Tensor) -> tuple[Tensor, S]:
            harm, seen = look(at)
            return harm.sum(), seen

        delta = start
        for _ in range(self.steps):
            slope, seen = grad(total, has_aux=True)(delta)
            yield seen
            delta = self._uphill(delta, slope, exists)
        yield look(delta)[1]

    def _uphill(self, delta: Tensor, slope: Tensor, exists: Bool[Tensor, "B T"]) -> Tensor:
        size = STRIDE * self.radius / max(self.steps, 1) if self.size is None else self.size
        slope = slope * exists
        direction = slope.sign() if self.norm == "linf" else scaled(slope, 1.0)
        return self.project(delta + size * direction, exists).detach()
