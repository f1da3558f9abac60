"""Running trained members over a split, in batches that depend on the data alone."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.func import vmap

from holdfast.core.records import Batch, Member
from holdfast.data.base import Dataset, Split
from holdfast.models.base import Model
from holdfast.models.run import Run
from holdfast.train.modality import modality
from holdfast.train.objective import candidate_ranks
from holdfast.train.precision import exact_float32
from holdfast.train.repair import Tensors
from holdfast.train.schedule import buckets

POSITIONS = {"cpu": 8192, "cuda": 65536}  # positions at once
Each = Callable[[Run, Batch], Tensor]


def batches(
    split: Split, rows: Int[Tensor, "N"], positions: int = POSITIONS["cpu"], least: int = 1
) -> Iterator[tuple[Int[Tensor, "B"], Batch]]:
    """Batches of about the same length, at most ``positions`` in each, with their places in ``rows``; where
    fewer than ``least`` are about as long, longer ones join them."""
    for part in buckets(split.lengths[rows], least, split.padded, split.widest):
        for places in torch.split(part.rows, max(1, positions // part.length)):
            yield places, split.batch(rows[places], part.length)


@torch.no_grad()
def logits(
    model: Model,
    parameters: Tensors,
    split: Split,
    rows: Int[Tensor, "N"] | None = None,
    stacked: bool = False,
) -> Float[Tensor, "*M N C"]:
    """What one member, or all stacked members, choose by: the logits of each row of a split; of pairs, the
    log-odds of each candidate."""
    wanted = torch.arange(len(split)) if rows is None else rows
    like = next(iter(parameters.values()))
    parts: list[Tensor] = []
    places: list[Tensor] = []
    for place, batch in batches(split, wanted, POSITIONS[like.device.type]):
        parts.append(each(model, parameters, typed(batch, like.dtype).to(like.device), _logits, stacked))
        places.append(place)
    return torch.cat(parts, -2)[..., torch.cat(places).argsort().to(like.device), :]


def seen(model: Model, parameters: Tensors, dataset: Dataset, member: Member) -> Tensors:
    """A member's logits on the splits it did not train on; ``held`` are rows of ``train`` it never saw.

    A recommender also says where the target stands among all items.
    """
    return _seen(model, parameters, dataset, stacked=False) | _held(model, parameters, dataset, member)


def seen_together(
    model: Model, parameters: Tensors, dataset: Dataset, members: tuple[Member, ...]
) -> list[Tensors]:
    """What :func:`seen` finds for each of the stacked members, with exact products."""
    with exact_float32():
        answers = _seen(model, parameters, dataset, stacked=True)
        return [
            {name: tensor[m] for name, tensor in answers.items()}
            | _held(model, {name: tensor[m] for name, tensor in parameters.items()}, dataset, member)
            for m, member in enumerate(members)
        ]


def _seen(model: Model, parameters: Tensors, dataset: Dataset, stacked: bool) -> Tensors:
    splits = {name: own for name in ("validation", "test") if len(own := dataset.splits[name])}
    answers = {f"logits/{k}": logits(model, parameters, s, stacked=stacked) for k, s in splits.items()}
    return answers | modality(dataset.task.kind).answers(model, parameters, dataset, stacked)


def _held(model: Model, parameters: Tensors, dataset: Dataset, member: Member) -> Tensors:
    rows = dataset.splits["train"].held(member)
    return {} if rows is None else {"logits/held": logits(model, parameters, dataset.splits["train"], rows)}


@torch.no_grad()
def ranks(
    model: Model,
    parameters: Tensors,
    split: Split,
    rows: Int[Tensor, "N"] | None = None,
    stacked: bool = False,
) -> Int[Tensor, "*M N"]:
    """The place (from 1) of the target item among all items that the user does not know yet.

    An equal item stands before the target.
    """
    wanted = torch.arange(len(split)) if rows is None else rows
    like = next(iter(parameters.values()))
    parts: list[Tensor] = []
    places: list[Tensor] = []
    for place, batch in _rank_batches(split, wanted, POSITIONS[like.device.type]):
        part = wanted[place]
        places.append(place)
        assert batch.candidates is not None
        moved = typed(replace(batch, candidates=None), like.dtype).to(like.device)
        scores = each(model, parameters, moved, _logits, stacked)
        known = split.excluded(part)
        if known is not None:
            scores = scores.masked_fill(known.to(like.device), -torch.inf)
        parts.append(candidate_ranks(scores, batch.candidates.gather(1, split.targets[part][:, None])[:, 0]))
    return torch.cat(parts, -1)[..., torch.cat(places).argsort().to(like.device)]


def _rank_batches(
    split: Split, rows: Int[Tensor, "N"], positions: int
) -> Iterator[tuple[Int[Tensor, "B"], Batch]]:
    """Many rows at once where all have the same length."""
    if split.padded:
        yield from batches(split, rows, positions)
        return
    for places in torch.split(torch.arange(len(rows)), positions // 16):
        yield places, split.batch(rows[places])


def each(model: Model, parameters: Tensors, batch: Batch, function: Each, stacked: bool) -> Tensor:
    """``function`` of one member, or mapped over all stacked members; in turn, where they cannot be."""
    if not stacked:
        return function(Run(model, parameters), batch)
    if not model.stacks:
        return torch.stack([function(Run(model, one), batch) for one in singles(parameters)])
    mapped = vmap(lambda p, b: function(Run(model, p), b), in_dims=(0, None), randomness="error")
    return mapped(parameters, batch)


def singles(parameters: Tensors) -> list[Tensors]:
    """The weights of stacked members, one after the other."""
    count = len(next(iter(parameters.values())))
    return [{name: tensor[m] for name, tensor in parameters.items()} for m in range(count)]


def typed(batch: Batch, dtype: torch.dtype) -> Batch:
    """The batch with its numbers in the precision of a model's."""
    return batch.map(lambda tensor: tensor.to(dtype) if tensor.is_floating_point() else tensor)


def finite(parameters: Tensors, stacked: bool) -> Bool[Tensor, "M"]:
    """Whether all of a member's numbers are finite; one member by itself is a family of one."""
    flags = [t.isfinite().reshape(len(t) if stacked else 1, -1).all(1) for t in parameters.values()]
    return torch.stack(flags).all(0)


def _logits(run: Run, batch: Batch) -> Tensor:
    return run.rank(batch)
