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
from holdfast.train.evaluate import batches
from holdfast.train.repair import Tensors

CELLS = {"cpu": 1024, "cuda": 8192}


class Explains(Protocol):
    """What a family needs of an explainer (``explain.base.Explainer`` is the contract)."""

    @property
    def signed(self) -> bool: ...
    @property
    def draws(self) -> int: ...
    def scores(self, run: Run, batch: Batch, target: Tensor, noise: Tensor | None = None) -> Tensor: ...


def scores(
    model: Model,
    parameters: Tensors,
    members: tuple[Member, ...],
    explainer: Explains,
    split: Split,
    rows: Int[Tensor, "N"],
    target: Int[Tensor, "N"],
    stacked: bool,
) -> Float[Tensor, "M N T"]:
    """Scores of every member for the rows, padded to the longest of them."""
    device = next(iter(parameters.values())).device
    longest = int(split.lengths[rows].max())
    found = torch.zeros(len(members), len(rows), longest)
    for places, batch in batches(split, rows, CELLS[device.type]):
        noise = _noise(explainer, members, batch)
        own_target = target[places].to(device)
        own = explain(model, parameters, explainer, batch.to(device), own_target, noise, stacked)
        width = min(longest, own.shape[-1])
        found[:, places, :width] = own[..., :width].to(found)
    return found


def explain(
    model: Model,
    parameters: Tensors,
    explainer: Explains,
    batch: Batch,
    target: Int[Tensor, "B"],
    noise: Float[Tensor, "M B T D"] | None,
    stacked: bool,
) -> Float[Tensor, "M B T"]:
    """Scores for one batch: mapped over stacked members, or of the one member there is."""
    if noise is not None:
        noise = noise.to(target.device)
    if not stacked:
        own = explainer.scores(Run(model, parameters), batch, target, None if noise is None else noise[0])
        return own.detach()[None]

    def one(own: Tensors, noise: Tensor | None) -> Tensor:
        return explainer.scores(Run(model, own), batch, target, noise)

    if noise is None:
        return vmap(lambda own: one(own, None), randomness="error")(parameters).detach()
    return vmap(one, randomness="error")(parameters, noise).detach()


def _noise(explainer: Explains, members: tuple[Member, ...], batch: Batch) -> Float[Tensor, "M B T D"] | None:
    """Draws per member and row, so that neighbours in a batch change nothing; padding only lengthens them."""
    if not explainer.draws:
        return None
    assert batch.rows is not None
    width = batch.mask.shape[1]
    drawn = torch.zeros(len(members), len(batch), width, explainer.draws)
    for m, member in enumerate(members):
        for b, row in enumerate(batch.rows.tolist()):
            n = int(batch.mask[b].nonzero().max()) + 1 if bool(batch.mask[b].any()) else 0
            drawn[m, b, :n] = uniform((n, explainer.draws), member, "explain", row)
    return drawn
