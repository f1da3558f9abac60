"""A probe over a whole family: the curves of every member, and those of random orders to compare with."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.func import vmap

from holdfast.core.draws import seed_of
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Member
from holdfast.data.base import Split
from holdfast.measure.probes.base import Probe
from holdfast.measure.shuffle import uniform_of
from holdfast.models.base import Model
from holdfast.models.run import Run
from holdfast.train.evaluate import batches
from holdfast.train.family import Family
from holdfast.train.repair import Tensors


def random_curves(
    family: Family,
    probe: Probe,
    split: Split,
    rows: Int[Tensor, "N"],
    target: Int[Tensor, "N"],
    copies: int = 3,
) -> Float[Tensor, "M N S"]:
    """Curves of random orders, the mean over ``copies``; the same for every explainer.

    Each member draws an order of its own for each copy and row, so that the luck of an order is part of the
    interval over members.
    """
    if copies < 1:
        raise BadSetting(f"expected copies of at least 1, but got {copies}")
    each = (curves(family, probe, split, rows, target, None, copy) for copy in range(copies))
    return torch.stack(list(each)).mean(0)


@torch.no_grad()
def curves(
    family: Family,
    probe: Probe,
    split: Split,
    rows: Int[Tensor, "N"],
    target: Int[Tensor, "N"],
    scores: Float[Tensor, "M N P"] | None,
    copy: int = 0,
) -> Float[Tensor, "M N S"]:
    """The curve of every member and row, highest score first; ``None`` is the random order number ``copy``.

    Equal scores go in random order, so that scores which are all the same do no better than chance.
    """
    if scores is not None and scores.shape[:2] != (len(family), len(rows)):
        raise BadSetting(
            f"expected scores of {len(family)} members for {len(rows)} examples, "
            f"but got shape {tuple(scores.shape)}"
        )
    model, device = family.model, next(iter(family.parameters.values())).device
    batch_curves, places = [], []
    for place, batch in batches(split, rows):
        on_device, batch_target = model.focused(batch.to(device), target[place].to(device))
        # scores are padded to the longest of all rows, the batch only to its own longest
        width = batch.inputs[0].numel()
        batch_scores = None if scores is None else split.fitted(scores[:, place], width).to(device)
        parts = _parts(probe, on_device, batch_scores, family.members, copy)
        # Mapped on a GPU; one member after the other on a CPU, where that is faster.
        stacked = parts.is_cuda
        each = _each(model, family.parameters, probe, on_device, parts, batch_target, stacked)
        batch_curves.append(each.cpu())
        places.append(place)
    return torch.cat(batch_curves, 1)[:, torch.cat(places).argsort()]


def _parts(
    probe: Probe, batch: Batch, scores: Tensor | None, members: tuple[Member, ...], copy: int
) -> Float[Tensor, "M B K"]:
    """What to delete first, as distinct numbers: by score, then by chance; what does not exist comes last."""
    assert batch.rows is not None
    width = batch.inputs[0].numel()
    given = (
        torch.zeros(len(members), len(batch), width, device=batch.mask.device) if scores is None else scores
    )
    by = probe.parts(batch, given)
    exists = by[0] > -torch.inf
    drawn = torch.stack([_drawn(exists, batch.rows, member, copy) for member in members])
    return ranked(by, drawn)


def _drawn(
    exists: Bool[Tensor, "B K"], rows: Int[Tensor, "B"], member: Member, copy: int
) -> Float[Tensor, "B K"]:
    """Random numbers for the parts that exist, a function of member, copy, row and place among these."""
    drawn = uniform_of(rows.long() + seed_of(member, "random order of parts", copy), exists.shape[-1])
    return drawn.gather(-1, (exists.cumsum(-1) - 1).clamp(min=0))


def ranked(by: Float[Tensor, "*M B K"], drawn: Float[Tensor, "*M B K"]) -> Float[Tensor, "*M B K"]:
    """Parts in the order of their scores as distinct numbers, the first 0, then −1 …; equal scores in the
    order of what was drawn, and −inf for parts that do not exist.

    >>> ranked(torch.tensor([0.5, 0.9, 0.5, -torch.inf]), torch.tensor([0.2, 0.0, 0.1, 0.0]))
    tensor([-2.,  0., -1., -inf])
    """
    exists = by > -torch.inf
    order = torch.where(exists, drawn, torch.inf).argsort(-1)
    order = order.gather(-1, by.gather(-1, order).argsort(dim=-1, descending=True, stable=True))
    place = torch.arange(by.shape[-1], device=by.device).expand_as(order)
    return torch.where(exists, torch.zeros_like(by).scatter(-1, order, 0.0 - place.to(by.dtype)), -torch.inf)


def _each(
    model: Model,
    parameters: Tensors,
    probe: Probe,
    batch: Batch,
    parts: Float[Tensor, "M B K"],
    target: Int[Tensor, "B"],
    stacked: bool,
) -> Float[Tensor, "M B S"]:
    """Mapped over members, or one member after the other."""

    def curve(weights: Tensors, parts: Tensor) -> Tensor:
        return probe.curve(Run(model, weights), batch, parts, target)

    if stacked and model.stacks:
        return vmap(curve, randomness="error")(parameters, parts)
    members = range(len(parts))
    return torch.stack([curve({k: v[m] for k, v in parameters.items()}, parts[m]) for m in members])
