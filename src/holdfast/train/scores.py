"""Explaining the rows of a split, for one member or for all stacked members."""

from typing import Protocol

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.func import vmap

from holdfast.core.draws import uniform
from holdfast.core.records import Batch, Member
from holdfast.data.base import Split
from holdfast.models.base import Model, Run
from holdfast.train.evaluate import batches, typed
from holdfast.train.products import exact_products
from holdfast.train.repair import Tensors

CELLS = {"cpu": 1024, "cuda": 8192}


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
    def scores(self, run: Run, batch: Batch, target: Tensor, noise: Tensor | None = None) -> Tensor: ...
    def suits(self, run: Run, batch: Batch, target: Tensor) -> None: ...


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
    """Scores of every member for the rows: per position, padded to the longest; of strips, per pixel."""
    like = next(iter(parameters.values()))
    device, dtype = like.device, like.dtype
    first = {name: tensor[0] for name, tensor in parameters.items()} if stacked else parameters
    explainer.suits(Run(model, first), typed(split.batch(rows[:1]), dtype).to(device), target[:1].to(device))
    size = split.scored(rows).shape[-1]
    found = torch.zeros(len(members), len(rows), size)
    for places, batch in batches(split, rows, CELLS[device.type]):
        noise = _noise(explainer, members, batch)
        own_target = target[places].to(device)
        there = typed(batch, dtype).to(device)
        with exact_products():
            own = explain(model, parameters, explainer, there, own_target, noise, stacked).flatten(2)
        width = min(size, own.shape[-1])
        found[:, places, :width] = own[..., :width].to(found)
    return found


def lost(
    model: Model, scores: Float[Tensor, "M N P"], logits: Float[Tensor, "M N C"], target: Int[Tensor, "N"]
) -> Float[Tensor, "M N"]:
    """What the scores of an explainer that ``conserves`` leave out of the evidence for the targets."""
    evidence = model.evidence(logits.double())
    chosen = evidence.gather(2, target.expand(len(scores), -1)[..., None])[..., 0]
    return chosen - scores.double().sum(-1)


def explain(
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
    if noise is not None:
        noise = noise.to(target.device)
    if not stacked:
        own = explainer.scores(Run(model, parameters), batch, target, None if noise is None else noise[0])
        return own.detach()[None]

    def one(own: Tensors, noise: Tensor | None) -> Tensor:
        return explainer.scores(Run(model, own), batch, target, noise)

    if not explainer.mapped:
        count = len(next(iter(parameters.values())))
        owns = ({name: tensor[m] for name, tensor in parameters.items()} for m in range(count))
        draws = [None] * count if noise is None else noise
        return torch.stack([one(*each) for each in zip(owns, draws, strict=True)]).detach()
    if noise is None:
        return vmap(lambda own: one(own, None), randomness="error")(parameters).detach()
    return vmap(one, randomness="error")(parameters, noise).detach()


def _noise(
    explainer: Explains, members: tuple[Member, ...], batch: Batch
) -> Float[Tensor, "M B *S D"] | None:
    """Draws per member and row, so that neighbours in a batch change nothing; padding only lengthens them.

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
            drawn[m, b, :n] = uniform((n, *pixels, explainer.draws), member, "explain", row)
    return drawn
