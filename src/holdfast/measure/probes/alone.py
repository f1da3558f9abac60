"""What each part is worth alone: how far the prediction falls without it."""

from dataclasses import replace

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.measure.probes.base import Watched, watch
from holdfast.models.run import Run

AT_ONCE = 2**18  # positions on a GPU


def alone_by_example(run: Run, batch: Batch, target: Int[Tensor, "B"], of: Watched) -> Float[Tensor, "B T"]:
    """How far the prediction falls without each word or step, elsewhere 0: one question for each example,
    whose last one stays."""
    falls = []
    for row in each_example(batch):
        one, places = batch.take(row), batch.mask[int(row)].nonzero()[:, 0]
        count = len(places) if len(places) > 1 else 0
        kept = one.mask.repeat(count + 1, 1)
        kept[torch.arange(count), places[:count]] = False
        watched = watch(run, run.subsets(one, kept), target[row].expand(count + 1), of)
        falls.append(watched.new_zeros(len(one.mask[0])))
        falls[-1][places[:count]] = watched[-1] - watched[:-1]
    return torch.stack(falls)


def alone_together(run: Run, batch: Batch, target: Int[Tensor, "B"], of: Watched) -> Float[Tensor, "B T"]:
    """The same of all examples, as many at once as fit on a GPU."""
    whole = watch(run, run(batch).logits, target, of)
    falls = whole.new_zeros(batch.mask.shape)
    several = batch.mask & (batch.mask.sum(-1, keepdim=True) > 1)
    places, most = several.nonzero(), max(1, AT_ONCE // batch.mask.shape[-1])
    for start in range(0, len(places), most):
        row, place = places[start : start + most].unbind(1)
        many = batch.take(row)
        here = torch.arange(batch.mask.shape[-1], device=place.device) == place[:, None]
        left = replace(many, mask=many.mask & ~here)
        falls[row, place] = whole[row] - watch(run, run(left).logits, target[row], of)
    return falls


def each_example(batch: Batch) -> Int[Tensor, "B 1"]:
    """The examples of a batch, one by one."""
    return torch.arange(len(batch), device=batch.mask.device)[:, None]
