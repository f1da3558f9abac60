"""Stable and explainable attention."""

from collections import deque
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.compare.topset import clear_top
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Edit, Site, Trace
from holdfast.core.settings import name_of
from holdfast.data.base import Dataset
from holdfast.models.base import Architecture, Model
from holdfast.models.interaction.pair import PairArchitecture
from holdfast.models.interaction.recommender import RecommendArchitecture
from holdfast.models.run import Run
from holdfast.repair.adversary import frozen
from holdfast.repair.ball import Ball, Norm
from holdfast.train.job import under
from holdfast.train.repair import Repair, Teacher, Tensors
from holdfast.train.teacher import TEACHER

Whose = Literal["own", "shared"]
Trained = Literal["all", "attention"]
FIRST = 0  # the seed of a shared teacher


@dataclass(frozen=True)
class Seat(Repair):
    """Attention w̃ that predicts as the vanilla model's w does, has its top k, and can be moved without
    changing the prediction (SEAT, objective (6)):
    ``D(y(x, w̃), y(x, w)) + λ₂ L_topk(w, w̃) + λ₁ max_{‖δ‖ ≤ R} D(y(x, w̃), y(x, w̃ + δ))``.

    D is binary cross-entropy, or of more classes cross-entropy, and its target is what is known: w's
    prediction in the first, w̃'s own in the second, which is held (with ``detached=false`` it may move too,
    and then the cheapest way to a small D is to be surer). ``L_topk`` is :func:`surrogate`. The vanilla
    member is trained first, the student starts from it, and no label is seen again. δ is found by ``steps``
    of ascent from a random point of the ball, each example's own; ``w̃ + δ`` is used as it is, or
    ``renormalised`` to a distribution. ``teacher=shared`` is seed 0's vanilla member for all, which makes
    seeds agree by construction; ``trained=attention`` leaves all else as the teacher has it. λ = 0 switches a
    penalty off. Every epoch runs and the last one counts: the best on validation would be the one nearest to
    the teacher.

    >>> import torch
    >>> Seat(lambda1=0.0).draws(Batch(torch.ones(2, 3), torch.ones(2, 3, dtype=torch.bool)))
    {}
    """

    needs: ClassVar[str | None] = "none"
    stops: ClassVar[bool] = False

    lambda1: float = 1.0
    lambda2: float = 1.0
    k: int = 5
    radius: float = 0.1
    norm: Norm = "l2"
    steps: int = 10
    size: float | None = None
    renormalised: bool = False
    detached: bool = True
    teacher: Whose = "own"
    trained: Trained = "all"

    def __post_init__(self) -> None:
        for field, least in (("lambda1", 0), ("lambda2", 0), ("k", 1)):
            if not least <= getattr(self, field) < float("inf"):
                came = getattr(self, field)
                raise BadSetting(f"seat: expected {field} of at least {least}, but got {came}")
        for field, known in (("teacher", Whose), ("trained", Trained)):
            if getattr(self, field) not in get_args(known):
                wanted, came = " or ".join(get_args(known)), getattr(self, field)
                raise BadSetting(f"seat: expected {field} to be {wanted}, but got {came}")
        self.ball.check("seat")

    @property
    def ball(self) -> Ball:
        """Where δ may be."""
        return Ball(self.radius, self.norm, self.steps, self.size)

    @property
    def attention_alone(self) -> bool:  # type: ignore[override]
        """Only if it is asked for."""
        return self.trained == "attention"

    def teachers(self, model: Architecture) -> dict[str, Teacher]:
        """The vanilla member; a model of items, or without attention, is refused: its training has other
        predictions than one for each example."""
        if isinstance(model, RecommendArchitecture | PairArchitecture) or not model.attends:
            raise BadSetting(
                "seat: expected a text classifier with attention, such as bilstm, but got "
                f"{name_of(type(model))}: choose another --repair"
            )
        return {"": Teacher(model, "none", FIRST if self.teacher == "shared" else None)}

    def suits(self, model: Model, dataset: Dataset) -> None:
        """Some text with more words than k: in the others all of them are in the top k."""
        longest = max(dataset.splits["train"].lengths.tolist(), default=0)
        if self.k >= longest:
            raise BadSetting(
                f"seat: expected k below {longest:,}, the words of the longest text to train on, but got "
                f"{self.k:,}: every word would be in the top k, so choose a smaller k"
            )

    def first(self, parameters: Tensors, model: Model) -> Tensors:
        """The teacher's weights."""
        return parameters | under(TEACHER, parameters)

    def draws(self, batch: Batch) -> dict[str, tuple[int, ...]]:
        """Two numbers for each example, from which the start in the ball follows."""
        return {"start": (len(batch), 2)} if self.lambda1 else {}

    def losses(self, run: Run, batch: Batch, noise: Tensors, memory: Tensors) -> Float[Tensor, "B"]:
        """The objective of each example; the text is encoded once."""
        vanilla = Run(run.model, under(TEACHER, memory))(batch)
        states = run.encode(run.embed(batch), batch, Edit(noise=noise))
        own = run.decide(states, batch, Edit(noise=noise))
        losses = cross_entropy(vanilla.logits, own.logits)
        if self.lambda2:
            maps = pooled(vanilla, batch), pooled(own, batch)
            losses = losses + self.lambda2 * surrogate(*maps, batch.mask, self.k)
        if self.lambda1:
            delta = self._worst(frozen(run), states.detach(), own.logits.detach(), batch, noise)
            moved = displaced(run, states, batch, delta, self.renormalised, noise).logits
            target = own.logits.detach() if self.detached else own.logits
            losses = losses + self.lambda1 * cross_entropy(target, moved)
        return losses

    def _worst(self, run: Run, states: Tensor, logits: Tensor, batch: Batch, noise: Tensors) -> Tensor:
        """The last δ on the way uphill."""

        def harm(delta: Tensor) -> Tensor:
            moved = displaced(run, states, batch, delta, self.renormalised, noise)
            return cross_entropy(logits, moved.logits)

        start = self.ball.inside(noise["repair/start"].to(states.dtype), batch.mask)
        return deque(self.ball.way(harm, start, batch.mask), maxlen=1)[0]


def pooled(trace: Trace, batch: Batch) -> Float[Tensor, "B T"]:
    """The weights that pool the states."""
    weights = trace.attention[-1]
    if weights.shape != batch.mask.shape:
        raise BadSetting("expected a model whose last attention map pools its states, but got another")
    return weights


def displaced(
    run: Run,
    states: Tensor,
    batch: Batch,
    delta: Float[Tensor, "B T"],
    renormalised: bool,
    noise: Tensors | None = None,
) -> Trace:
    """A pass from the states with ``w̃ + δ`` in place of the weights that pool them, or with
    ``(w̃ + δ)⁺ / Σ (w̃ + δ)⁺``."""

    def door(weights: Tensor, site: Site) -> Tensor:
        if site.kind != "pool":
            return weights
        moved = weights + delta * site.allowed
        if not renormalised:
            return moved
        kept = moved.clamp(min=0.0)
        total = kept.sum(-1, keepdim=True)
        return torch.where(total > 0, kept / torch.where(total > 0, total, 1.0), weights)

    return run.decide(states, batch, Edit(attention=door, noise=noise or {}))


def cross_entropy(target: Float[Tensor, "*B C"], logits: Float[Tensor, "*B C"]) -> Float[Tensor, "*B"]:
    """``−Σ_c p_c log q_c``; of two classes binary cross-entropy. Never below the entropy of p.

    >>> even = torch.tensor([[0.0, 0.0]])
    >>> cross_entropy(even, even)
    tensor([0.6931])
    """
    return -(target.softmax(-1) * logits.log_softmax(-1)).sum(-1)


def surrogate(
    vanilla: Float[Tensor, "*B T"], own: Float[Tensor, "*B T"], exists: Bool[Tensor, "*B T"], k: int
) -> Float[Tensor, "*B"]:
    """``L_topk = (‖w_S − w̃_S‖₁ + ‖w̃_S̃ − w_S̃‖₁) / 2k``, S and S̃ the top k of w and of w̃ (SEAT, (5)).

    Positions tied for the last place are in no top k (Definition 1). k is at most the length of the text.

    >>> w, own = torch.tensor([[0.6, 0.3, 0.1]]), torch.tensor([[0.5, 0.2, 0.3]])
    >>> surrogate(w, own, torch.ones(1, 3, dtype=torch.bool), k=1)
    tensor([0.1000])
    """
    in_either = sum(clear_top(w.detach(), exists, False, k) for w in (vanilla, own))
    most = exists.sum(-1).clamp(min=1, max=k)
    return (in_either * (vanilla - own).abs()).sum(-1) / (2 * most)
