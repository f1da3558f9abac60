"""Survival of a change: how much of an explanation is left when its input is a little changed.

``hold = 1 − Σ distance between the explanations of x and of x' / Σ distance to that of an unrelated input``,
both of the same member: 1 is the same explanation again, 0 no better than an explanation of something else.
"""

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.compare.tvd import Tvd
from holdfast.core.records import Explanation
from holdfast.measure.hold import NOTHING, Against, Hold, of_instances
from holdfast.measure.impostors import Impostor
from holdfast.measure.pairing import over_perturbations
from holdfast.measure.reduce import (
    Interval,
    jackknife_variance,
    mean_over_members,
    over_instances,
    t_quantile,
)
from holdfast.measure.scale import FEWEST


@dataclass(frozen=True)
class Survival:
    """Every member's distance ``near`` between the explanations of an example and of the same one changed,
    ``far`` that to an unrelated input, by total variation on the positions that all have.

    ``known`` says which examples were changed and have both; ``flipped`` where the member's prediction is
    another one for the changed example. ``enough`` is whether examples suffice to say anything: 30 of them,
    or half of those that could be changed where that is fewer.
    """

    perturbation: str
    near: Float[Tensor, "M K"]
    far: Float[Tensor, "M K"]
    known: Bool[Tensor, "K"]
    flipped: Bool[Tensor, "M K"]
    impostor: str
    enough: bool

    @property
    def flips(self) -> Interval | None:
        """How often a changed example gets another prediction, with an interval over members."""
        if not self.known.any():
            return None
        return mean_over_members(over_instances(self.flipped.double(), self.known))


class Restricted(NamedTuple):
    """Two explanations on the positions that an example and its changed copy both have."""

    before: Explanation
    after: Explanation


def restricted(
    before: Explanation, laid_over: Float[Tensor, "M K T"], common: Bool[Tensor, "K T"]
) -> Restricted:
    """An explanation, and that of the changed examples laid over it, on the positions in common."""
    common = common.to(before.mask.device) & before.mask
    scores = (torch.where(common, own.to(before.scores), 0.0) for own in (before.scores, laid_over))
    one, two = (replace(before, scores=own, mask=common, lost=None) for own in scores)
    return Restricted(one, two)


def survival_of(
    perturbation: str,
    both: Restricted,
    touched: Bool[Tensor, "K T"],
    impostor: Impostor,
    rows: Int[Tensor, "K"],
    flipped: Bool[Tensor, "M K"],
) -> Survival:
    """The distances of every member and example; ``rows`` are the examples' numbers in their split."""
    before, comparison = both.before, Tvd()
    near = over_perturbations(*both, comparison)
    total, count = torch.zeros_like(near), near.new_zeros(near.shape[1])
    for copy in impostor.copies(before, rows.to(before.mask.device)):
        apart = over_perturbations(before, replace(before, scores=copy.scores), comparison)
        total += torch.where(copy.known, apart, 0.0)
        count += copy.known
    comparable = (before.mask.sum(-1) > 1) & touched.any(-1).to(count.device)
    known = (count > 0) & comparable
    enough = int(known.sum()) >= max(1, min(FEWEST, -(-int(comparable.sum()) // 2)))
    far = total / count.clamp(min=1)
    return Survival(perturbation, near.cpu(), far.cpu(), known.cpu(), flipped.cpu(), impostor.name, enough)


def hold_under(survival: Survival, unflipped: bool = False) -> Hold | None:
    """How much of an explanation survives, with an interval over members and examples as every hold has, of a
    single member over examples;
    ``unflipped`` leaves out the pairs of member and example whose prediction changed. None where too little
    is left to measure."""
    kept = survival.known & (~survival.flipped if unflipped else torch.ones_like(survival.flipped))
    chosen = kept.any(0)
    if not survival.enough or not chosen.any():
        return None
    near, far = (torch.where(kept, own, 0.0)[:, chosen].double() for own in (survival.near, survival.far))
    one, n = _against(near, far, survival.impostor), len(near)
    return Hold(one.value, one.low, one.high, one.impostor, n, (one,))


def _against(near: Float[Tensor, "M K"], far: Float[Tensor, "M K"], name: str) -> Against:
    n, examples = len(near), near.shape[1]
    if float(far.mean()) <= NOTHING:
        return Against(name, 0.0, 0.0, 0.0, 0.0, 0.0)  # it says the same of every input
    if float(near.sum()) <= 0.0:
        return Against(name, 1.0, None, None, -math.inf, 0.0)  # the same again, in every member
    ratio = math.log(float(near.sum()) / float(far.sum()))
    if n == 2 or examples < 2:
        return Against(name, 1 - math.exp(ratio), None, None, ratio, math.inf)
    of_members, freedom = 0.0, examples - 1
    if n > 2:
        left = [(own.sum() - own.sum(1)).clamp(min=1e-300).log() for own in (near, far)]
        of_members, freedom = float(jackknife_variance(left[0] - left[1])), n - 1
    error = math.sqrt(of_members + of_instances(near, far))
    half = t_quantile(freedom) * error
    ends = 1 - math.exp(min(ratio + half, 700.0)), 1 - math.exp(ratio - half)
    return Against(name, 1 - math.exp(ratio), *ends, ratio, error)
