"""Explaining the rows of a split, for one member or for all stacked members."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.func import vmap

from holdfast.core.draws import uniform
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Member
from holdfast.core.settings import label
from holdfast.data.base import Split
from holdfast.models.base import Model
from holdfast.models.run import Run
from holdfast.train.evaluate import batches, each, singles, typed
from holdfast.train.precision import exact_float32
from holdfast.train.repair import Tensors
from holdfast.train.seats import Seated, Size, seated

POSITIONS = 8192  # on a GPU


class Explains(Protocol):
    """What a family needs of an explainer (``explain.base.Explainer`` is the contract)."""

    @property
    def signed(self) -> bool: ...
    @property
    def draws(self) -> int: ...
    @property
    def mapped(self) -> bool: ...
    @property
    def conserves(self) -> bool: ...
    @property
    def batch(self) -> Size: ...
    def seats(self, model: Model) -> Size: ...
    @property
    def within(self) -> float: ...
    def scores(self, run: Run, batch: Batch, target: Tensor, noise: Tensor | None = None) -> Tensor: ...
    def total(self, run: Run, batch: Batch, target: Tensor) -> Tensor: ...
    def finer(self) -> "Explains | None": ...
    def suits(self, run: Run, batch: Batch, target: Tensor) -> None: ...


class Scored(NamedTuple):
    """Scores, and what they miss of their total, where the explainer has one."""

    scores: Float[Tensor, "M B *S"]
    lost: Float[Tensor, "M B"] | None

    def named(self, label: str) -> Tensors:
        """Both by name, as they are written down."""
        return {label: self.scores} | ({} if self.lost is None else {f"{label}/lost": self.lost})


def scored(
    model: Model,
    parameters: Tensors,
    members: tuple[Member, ...],
    explainer: Explains,
    split: Split,
    rows: Int[Tensor, "N"],
    target: Int[Tensor, "N"],
    stacked: bool,
    trained: bool = True,
) -> Scored:
    """Every member's scores of the rows: per position, padded to the longest; of strips, per pixel. Of
    networks that were never ``trained`` only the order counts, not what the scores miss; and that the
    explainer suits the model, trained ones have shown."""
    like = next(iter(parameters.values()))
    device, dtype = like.device, like.dtype
    if trained:
        first = {name: tensor[0] for name, tensor in parameters.items()} if stacked else parameters
        one = model.focused(typed(split.batch(rows[:1]), dtype).to(device), target[:1].to(device))
        explainer.suits(Run(model, first), *one)
    size = split.scored(rows).shape[-1]
    scores = torch.zeros(len(members), len(rows), size)
    lost = (
        torch.zeros(len(members), len(rows), dtype=torch.float64) if explainer.conserves and trained else None
    )
    fixed = device.type == "cpu"
    for piece in seated(split, rows, explainer.seats(model), trained) if fixed else _large(split, rows):
        noise = _noise(explainer, members, piece.batch, split.widest)
        targets = target[piece.filled].to(device)
        moved = typed(piece.batch, dtype).to(device)
        with exact_float32():
            part = explain(model, parameters, explainer, moved, targets, noise, stacked, trained)
        if part.scores.shape[1:] != moved.inputs.shape:
            wanted, came = tuple(moved.inputs.shape), tuple(part.scores.shape[1:])
            raise BadSetting(
                f"{label(explainer)}: expected a score for each position or pixel, {wanted}, but got {came}"
            )
        flat = part.scores.flatten(2)[:, piece.places]
        scores[:, piece.wanted] = split.fitted(flat, size).to(scores)
        if lost is not None and part.lost is not None:
            lost[:, piece.wanted] = part.lost[:, piece.places].to(lost)
    return Scored(scores, lost)


def _large(split: Split, rows: Int[Tensor, "N"]) -> Iterator[Seated]:
    """Batches that keep a GPU busy: there bits are not promised."""
    for places, batch in batches(split, rows, POSITIONS):
        yield Seated(places, torch.arange(len(places)), places, batch)


def scores(
    model: Model,
    parameters: Tensors,
    members: tuple[Member, ...],
    explainer: Explains,
    split: Split,
    rows: Int[Tensor, "N"],
    target: Int[Tensor, "N"],
    stacked: bool,
) -> Float[Tensor, "M N P"]:
    """The same without what they miss."""
    return scored(model, parameters, members, explainer, split, rows, target, stacked).scores


def explain(
    model: Model,
    parameters: Tensors,
    explainer: Explains,
    batch: Batch,
    target: Int[Tensor, "B"],
    noise: Float[Tensor, "M B *S D"] | None,
    stacked: bool,
    trained: bool = True,
) -> Scored:
    """Scores of one batch. Where a member's scores of an example miss too much of their total, those of a
    finer explainer, as long as there is one: that is for each member and example to decide, and no other. On
    a CPU each example is asked again by itself, so that its neighbours do not change the shape. ``target`` is
    a place in what the model ranks."""
    batch, target = model.focused(batch, target)
    noise = None if noise is None else noise.to(target.device)
    scores = _mapped(model, parameters, explainer, batch, target, noise, stacked)
    if not explainer.conserves or not trained:
        return Scored(scores, None)

    def total(run: Run, batch: Batch) -> Tensor:
        return explainer.total(run, batch, target)

    with torch.no_grad():
        whole = each(model, parameters, batch, total, stacked).double().view(scores.shape[:2])
    lost = whole - _sum(scores)
    finer = explainer.finer()
    while finer is not None and bool((far := lost.abs() > explainer.within * whole.abs()).any()):
        for rows in torch.split(far.any(0).nonzero()[:, 0], len(batch) if target.is_cuda else 1):
            some = None if noise is None else noise[:, rows]
            again = _mapped(model, parameters, finer, batch.take(rows), target[rows], some, stacked)
            chosen = far[:, rows].view(len(scores), len(rows), *[1] * (scores.dim() - 2))
            scores[:, rows] = torch.where(chosen, again, scores[:, rows])
        lost, finer = whole - _sum(scores), finer.finer()
    return Scored(scores, lost)


def _sum(scores: Float[Tensor, "M B *S"]) -> Float[Tensor, "M B"]:
    return scores.double().flatten(2).sum(-1)


def _mapped(
    model: Model,
    parameters: Tensors,
    explainer: Explains,
    batch: Batch,
    target: Int[Tensor, "B"],
    noise: Float[Tensor, "M B *S D"] | None,
    stacked: bool,
) -> Float[Tensor, "M B *S"]:
    """Scores for one batch: mapped over stacked members (in turn, where it cannot be mapped), or of the one
    member there is."""
    if not stacked:
        alone = explainer.scores(Run(model, parameters), batch, target, None if noise is None else noise[0])
        return alone.detach()[None]

    def one(weights: Tensors, noise: Tensor | None) -> Tensor:
        return explainer.scores(Run(model, weights), batch, target, noise)

    if not (explainer.mapped and model.stacks):
        members = singles(parameters)
        draws = [None] * len(members) if noise is None else noise
        return torch.stack([one(*each) for each in zip(members, draws, strict=True)]).detach()
    if noise is None:
        return vmap(lambda weights: one(weights, None), randomness="error")(parameters).detach()
    return vmap(one, randomness="error")(parameters, noise).detach()


def _noise(
    explainer: Explains, members: tuple[Member, ...], batch: Batch, widest: int | None = None
) -> Float[Tensor, "M B *S D"] | None:
    """Draws per member and row, so that neighbours in a batch change nothing; padding only lengthens them,
    on the left where there is a ``widest``.

    Each position has its own, of strips each pixel.
    """
    if not explainer.draws:
        return None
    assert batch.rows is not None
    pixels = batch.inputs.shape[2:]
    drawn = torch.zeros(len(members), *batch.inputs.shape, explainer.draws)
    for m, member in enumerate(members):
        for b, row in enumerate(batch.rows.tolist()):
            n = int(batch.mask[b].nonzero().max()) + 1 if bool(batch.mask[b].any()) else 0
            own = uniform((n if widest is None else widest, *pixels, explainer.draws), member, "explain", row)
            drawn[m, b, :n] = own[len(own) - n :]
    return drawn
