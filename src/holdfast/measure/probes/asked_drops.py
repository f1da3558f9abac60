"""How far predictions drop in the order of scores, of models that can only be asked what is left in."""

from collections.abc import Callable, Mapping
from itertools import pairwise

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.draws import seed_of
from holdfast.core.records import Explanation, Member
from holdfast.measure.probes.comprehensiveness import Comprehensiveness
from holdfast.measure.probes.drops import ORDERS, Drops
from holdfast.measure.probes.faithfulness import ranked
from holdfast.measure.probes.removal import Removal
from holdfast.measure.shuffle import uniform_of

Ask = Callable[[Bool[Tensor, "M B T"]], Float[Tensor, "M B C"]]
"""The probabilities of every member, asked with what is left in of every example."""


def asked_drops(
    ask: Ask,
    whole: Float[Tensor, "M B C"],
    explanations: Mapping[str, Explanation],
    probe: Removal = Comprehensiveness(fill="hole"),  # noqa: B008 - a frozen record
    orders: int | None = None,
) -> Drops:
    """The same as :func:`drops` measures of models of ours, by asking alone; ``whole`` is what the members
    say of the examples as they are.

    Every question is put to all members at once, each in its own order, so that it takes as many questions as
    an example has positions, for leave-one-out, and a handful for every order: no more with more members.
    """
    first = next(iter(explanations.values()))
    question = _Question(ask, first.target, whole, probe)
    orders = orders or max(2, -(-ORDERS // len(first.members)))
    mask = first.mask.expand(len(first.members), *first.mask.shape)
    each = [_drawn(first.members, mask, order) for order in range(orders + 1)]
    none = torch.where(mask, 0.0, -torch.inf).double()

    def drop(scores: Tensor) -> Tensor:
        return question.drop(ranked(torch.where(mask, scores, none), each[0]))

    by = {name: drop(own.scores if own.signed else own.scores.abs()) for name, own in explanations.items()}
    random = torch.stack([question.drop(ranked(none, drawn)) for drawn in each[1:]]).mean(0)
    return Drops(by, random, drop(question.alone(mask)), {})


class _Question:
    """Asks about the class that is explained."""

    def __init__(self, ask: Ask, target: Int[Tensor, "B"], whole: Tensor, probe: Removal) -> None:
        self._ask, self._probe = ask, probe
        self._place = target[None, :, None].expand(*whole.shape[:2], 1)
        self._whole = self._of(whole)

    def drop(self, parts: Float[Tensor, "M B T"]) -> Float[Tensor, "M B"]:
        """How far the prediction falls in this order, mean over the shares; a share of as many positions as
        the one before is asked once."""
        stay = self._probe.stay(parts).unbind(-2)
        curve = [self._whole]
        for before, kept in pairwise(stay):
            curve.append(curve[-1] if torch.equal(before, kept) else self._of(self._ask(kept)))
        return self._probe.drop(torch.stack(curve, -1))

    def alone(self, mask: Bool[Tensor, "M B T"]) -> Float[Tensor, "M B T"]:
        """How far it falls without each position by itself; the only one of an example stays."""
        rank, count = mask.cumsum(-1) - 1, mask.sum(-1, keepdim=True)
        falls = torch.zeros(mask.shape, dtype=self._whole.dtype)
        for place in range(int(count.max())):
            here = mask & (rank == place) & (count > 1)
            fall = self._whole - self._of(self._ask(mask & ~here))
            falls = torch.where(here, fall[..., None], falls)
        return falls

    def _of(self, answers: Float[Tensor, "M B C"]) -> Float[Tensor, "M B"]:
        return answers.gather(-1, self._place)[..., 0]


def _drawn(members: tuple[Member, ...], mask: Bool[Tensor, "M B T"], order: int) -> Float[Tensor, "M B T"]:
    """Random numbers for the positions, of every member and example by itself; padding changes none."""
    rows = torch.arange(mask.shape[1])
    drawn = torch.stack(
        [uniform_of(rows + seed_of(own, "random order", order), mask.shape[-1]) for own in members]
    )
    return drawn.gather(-1, (mask.cumsum(-1) - 1).clamp(min=0))
