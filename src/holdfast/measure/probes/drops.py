"""How far predictions drop in the order of each explainer's scores, beside random orders: all in one pass."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.draws import uniform
from holdfast.core.records import Batch, Explanation, Member
from holdfast.data.base import Split
from holdfast.measure.probes.base import Probe
from holdfast.measure.probes.faithfulness import ranked
from holdfast.models.run import Run
from holdfast.train.evaluate import POSITIONS, batches
from holdfast.train.family import Family

ORDERS = 20


class Drops(NamedTuple):
    """How far each member's prediction of each example drops: in the order of each explanation, by name, in
    random order (the mean over some), and in the order of what each part alone is worth (None where the probe
    cannot say). Of a probe that looks for flips, ``unflipped`` is the share of the steps without one, in the
    order of each explanation and, under an empty name, in random order."""

    by: dict[str, Float[Tensor, "M N"]]
    random: Float[Tensor, "M N"]
    alone: Float[Tensor, "M N"] | None
    unflipped: dict[str, Float[Tensor, "M N"]]


@torch.no_grad()
def drops(
    family: Family,
    probe: Probe,
    split: Split,
    rows: Int[Tensor, "N"],
    target: Int[Tensor, "N"],
    explanations: Mapping[str, Explanation],
    orders: int | None = None,
    advance: Callable[[float], None] = lambda share: None,
    alone: bool = True,
) -> Drops:
    """The drop of every member and row: what supports the target most comes first, by its score where scores
    are signed, else by its size.

    Random orders are drawn for each member and row by name, so that they depend on no other: by default so
    many that an example has twenty, shared out over the members. Equal scores go in random order, so that
    scores which are all the same do no better than chance. ``advance`` hears what share of the rows is done.
    Without ``alone`` nobody asks what each part is worth by itself, which takes a pass for each.
    """
    orders = orders or max(2, -(-ORDERS // len(family)))
    scores = [e.scores if e.signed else e.scores.abs() for e in explanations.values()]
    table = torch.zeros(2, len(scores) + orders, len(family), len(rows), dtype=torch.float64)
    best, known, kinds, done = torch.zeros_like(table[0, 0]), False, 1, 0
    device = next(iter(family.parameters.values())).device
    model = family.model
    runs = [Run(model, family.parameters_of(member)) for member in family.members]
    for place, batch in batches(split, rows):
        # scores are padded to the longest of all rows, the batch only to its own longest
        width = batch.inputs[0].numel()
        own = [split.fitted(each[:, place], width).to(device) for each in scores]
        there, aim = model.focused(batch.to(device), target[place].to(device))
        asked = runs if alone else []
        single = [one for run in asked if (one := probe.alone(run, there, aim)) is not None]
        parts = _orders(probe, there, own, single, family.members, orders)
        fallen = _dropped(runs, probe, there, parts, aim)
        kinds = len(fallen)
        table[:kinds, :, :, place] = fallen[:, : table.shape[1]]
        if single:
            best[:, place] = fallen[0, -1]
            known = True
        done += len(place)
        advance(done / len(rows))
    (by, random), (unflipped, chance) = (
        (dict(zip(explanations, each, strict=False)), each[len(scores) :].mean(0)) for each in table
    )
    return Drops(by, random, best if known else None, {**unflipped, "": chance} if kinds > 1 else {})


def _orders(
    probe: Probe,
    batch: Batch,
    scores: list[Tensor],
    alone: list[Tensor],
    members: tuple[Member, ...],
    orders: int,
) -> Float[Tensor, "O M B K"]:
    """What comes first, as distinct numbers: by each of the scores, in each random order, then by what each
    part is worth alone, where that is known."""
    width = batch.inputs[0].numel()
    none = torch.zeros(len(members), len(batch), width, device=batch.mask.device)
    same = torch.where(probe.parts(batch, none) > -torch.inf, 0.0, -torch.inf)
    drawn = _drawn(batch, same[0] == 0.0, members, orders + 1)
    by_score = [ranked(probe.parts(batch, each).to(same), drawn[0]) for each in scores]
    last = [ranked(torch.stack(alone).to(same), drawn[0])] if alone else []
    return torch.stack([*by_score, *ranked(same.expand_as(drawn[1:]), drawn[1:]), *last])


def _drawn(
    batch: Batch, exists: Tensor, members: tuple[Member, ...], orders: int
) -> Float[Tensor, "O M B K"]:
    """Numbers for the parts that exist; padding changes none of them."""
    assert batch.rows is not None
    found = torch.zeros(orders, len(members), *exists.shape)
    there, rows = exists.cpu(), batch.rows.tolist()
    for b, row in enumerate(rows):
        shape = (orders, int(there[b].sum()))
        for m, member in enumerate(members):
            found[:, m, b, there[b]] = uniform(shape, member, "random order", row)
    return found.to(exists.device)


def _dropped(
    runs: list[Run], probe: Probe, batch: Batch, parts: Float[Tensor, "O M B K"], target: Int[Tensor, "B"]
) -> Float[Tensor, "Q O M B"]:
    """The examples of a batch in every order, as many at once as fit; one member after the other. The drop
    first, then, of a probe that looks for flips, the share of the steps without one."""
    most = max(1, POSITIONS[target.device.type] // (len(parts) * batch.mask.shape[-1]))
    found = []
    for some in torch.split(torch.arange(len(batch), device=target.device), most):
        few, own = batch.take(some), target[some]
        each = zip(runs, parts[:, :, some].unbind(1), strict=True)
        curves = torch.stack([probe.orders(run, few, order, own) for run, order in each], 1)
        numbers = (probe.drop(curves), probe.unflipped(curves))
        found.append(torch.stack([each.double().cpu() for each in numbers if each is not None]))
    return torch.cat(found, -1)
