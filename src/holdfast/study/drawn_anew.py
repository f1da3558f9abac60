"""Of a single member: how much of what it says an untrained network says too."""

from collections.abc import Iterator

import torch
from torch import Tensor

from holdfast.core.compare.tvd import Tvd
from holdfast.core.records import Explanation
from holdfast.data.reading import listed
from holdfast.measure.impostors import Impostor, Shuffled, UntrainedOrder
from holdfast.measure.question import ends, places
from holdfast.measure.reduce import Interval
from holdfast.measure.survival import Survival, hold_under
from holdfast.study.evidence import turns_of
from holdfast.study.headline import said
from holdfast.study.result import FamilyResult
from holdfast.train.untrained import EACH, GROUPS


def drawn_anew(family: FamilyResult) -> Iterator[tuple[str, Interval]]:
    """For each explainer ``1 − Σ distance to its own values in untrained order / Σ distance to them at random
    places``, with an interval over examples; nothing where there are several members."""
    if len(family.members) > 1:
        return
    for name, scores in family.untrained.items():
        own = family.explanations[name]
        if name != "random":
            near = _distance(own, UntrainedOrder(scores, turns_of(family)), family.rows)
            far = _distance(own, Shuffled(), family.rows)
            known = (own.mask.sum(-1) > 1).cpu()
            both = Survival("", near, far, known, torch.zeros_like(near, dtype=torch.bool), "", True)
            if (held := hold_under(both)) is not None:
                yield name, held.interval


def drawn_anew_note(family: FamilyResult) -> list[str]:
    """The same in a sentence."""
    shares = list(drawn_anew(family))
    if not shares:
        return []
    told = listed(f"{said(name)} {places(max(one.value, 0.0))}{_ends(one)}" for name, one in shares)
    return [
        f"Beside {family.job.architecture.fresh}, in {GROUPS * EACH} draws: the share of an explanation "
        f"whose order such a network gives too, from 0 (random) to 1 (all of it), is {told}. Where it is "
        "high, the explanation shows little of what such a network lacks."
    ]


def _distance(own: Explanation, impostor: Impostor, rows: Tensor) -> Tensor:
    """Of each example to the impostor, mean over its copies."""
    copies = [copy.scores for copy in impostor.copies(own, rows.to(own.mask.device))]
    wide = own.mask.expand_as(own.scores)
    real, *fakes = (Tvd().prepare(scores, wide, own.signed) for scores in (own.scores, *copies))
    return torch.stack([Tvd().between(real, fake, wide) for fake in fakes]).mean(0).cpu()


def _ends(one: Interval) -> str:
    return ends(*(None if end is None else min(max(end, 0.0), 1.0) for end in (one.low, one.high)))
