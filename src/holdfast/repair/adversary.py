"""What repairs by adversarial training share: each example's loss, and that of the same example moved."""

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.func import grad, vjp

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Edit, Site
from holdfast.core.settings import name_of
from holdfast.models.base import Architecture
from holdfast.models.doors import shifted
from holdfast.models.run import Run
from holdfast.train.repair import Repair, Teacher, Tensors

FARTHEST = 50.0  # of scores: a softmax of float32 still knows what it was
Shift = Callable[[Tensor, Tensor, Tensor], Tensor]


@dataclass(frozen=True)
class ScoreAdversary(Repair):
    """Train against attention scores moved against the loss: ``L(s) + L(s + r)``; ``strength`` is ε."""

    strength: float = 1.0

    def __post_init__(self) -> None:
        check_strength(self, self.strength, FARTHEST)

    def teachers(self, model: Architecture) -> dict[str, Teacher]:
        """None; a model without attention is refused."""
        check_attends(self, model)
        return super().teachers(model)

    def losses(self, run: Run, batch: Batch, noise: Tensors, memory: Tensors) -> Float[Tensor, "B"]:
        """Both losses."""
        return against_scores(run, batch, noise, self.shift)

    @abstractmethod
    def shift(
        self, slope: Float[Tensor, "*N T"], weights: Float[Tensor, "*N T"], allowed: Bool[Tensor, "*N T"]
    ) -> Float[Tensor, "*N T"]:
        """r of each row, given the gradient of L by its scores."""


def check_strength(repair: object, strength: float, most: float = math.inf) -> None:
    """Refuse a length of r that moves nothing, or too much."""
    if not 0 < strength <= most or math.isinf(strength):
        least = "above 0" if math.isinf(most) else f"above 0 and at most {most:g}"
        raise BadSetting(f"{name_of(type(repair))}: expected strength {least}, but got {strength}")


def check_attends(repair: object, model: Architecture) -> None:
    """Refuse a model without attention, or with one that cannot be edited."""
    if not model.attends:
        name = name_of(type(repair))
        raise BadSetting(
            f"{name}: expected a model with attention, but {name_of(type(model))} has none that can be "
            "changed: choose word_at"
        )


def check_reads(repair: object, model: Architecture) -> None:
    """Refuse a model that looks at no part of its input."""
    if not model.explains:
        name = name_of(type(repair))
        raise BadSetting(
            f"{name}: expected a model that reads words or items, but {name_of(type(model))} reads none: "
            "choose another --repair"
        )


def frozen(run: Run) -> Run:
    """The same member; no gradient reaches its weights."""
    return Run(run.model, {name: tensor.detach() for name, tensor in run.parameters.items()})


def scaled(direction: Float[Tensor, "*N T"], length: float) -> Float[Tensor, "*N T"]:
    """``length · g / ‖g‖₂`` along the last axis; 0 where g is.

    >>> scaled(torch.tensor([[3.0, 4.0], [0.0, 0.0]]), 10.0)
    tensor([[6., 8.],
            [0., 0.]])
    """
    # by the largest first: the square of a small gradient would be 0
    top = direction.abs().amax(-1, keepdim=True)
    even = direction / torch.where(top > 0, top, 1.0)
    norm = even.norm(dim=-1, keepdim=True)
    return length * even / torch.where(norm > 0, norm, 1.0)


def against_input(
    run: Run, batch: Batch, noise: Tensors, shift: Callable[[Tensor], Tensor]
) -> Float[Tensor, "B"]:
    """``L(x) + L(x + r)``, where ``shift`` makes r of the gradient of L by the embedded input."""
    embedded = run.embed(batch)

    def losses(vectors: Tensor) -> Tensor:
        return run.losses(batch, Edit(embedded=vectors, noise=noise))

    plain, pull = vjp(losses, embedded)  # type: ignore[misc]  # three with has_aux
    (slope,) = pull(torch.ones_like(plain))
    exists = batch.mask.view(*batch.mask.shape, *[1] * (embedded.dim() - 2))
    return plain + losses(embedded + (shift(slope.detach()) * exists).detach())  # type: ignore[no-any-return]


def against_scores(run: Run, batch: Batch, noise: Tensors, shift: Shift) -> Float[Tensor, "B"]:
    """``L(x) + L(s + r)`` for the scores s of every attention map before the softmax; ``shift`` makes r of
    the gradient of L by the scores, the weights, and what is allowed."""
    weights: dict[int, Tensor] = {}
    allowed: dict[int, Tensor] = {}

    def look(own: Tensor, site: Site) -> Tensor:
        weights[site.layer], allowed[site.layer] = own.detach(), site.allowed
        return own

    # embedded once, and not inside `grad`: frozen layers may keep what they made of a text
    embedded = run.embed(batch)

    def losses(run: Run, vectors: Tensor, shifts: dict[int, Tensor]) -> Tensor:
        def door(own: Tensor, site: Site) -> Tensor:
            return shifted(shifts[site.layer], own, site)

        return run.losses(batch, Edit(embedded=vectors, attention=door, noise=noise))

    plain = run.losses(batch, Edit(embedded=embedded, attention=look, noise=noise))
    still, fixed = frozen(run), embedded.detach()
    nowhere = {layer: torch.zeros_like(own) for layer, own in weights.items()}
    slopes = grad(lambda shifts: losses(still, fixed, shifts).sum())(nowhere)
    shifts = {
        layer: (shift(slope * allowed[layer], weights[layer], allowed[layer]) * allowed[layer]).detach()
        for layer, slope in slopes.items()
    }
    return plain + losses(run, embedded, shifts)
