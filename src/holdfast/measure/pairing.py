"""Which two explanations are compared: a comparison × a pairing gives a value per pair and instance."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.compare.base import Comparison
from holdfast.core.compare.ranks import average_ranks, keys
from holdfast.core.compare.tvd import Tvd
from holdfast.core.errors import BadSetting, TooFewMembers
from holdfast.core.records import Explanation

AT_ONCE = 2**17  # scores


@dataclass(frozen=True)
class Pairs:
    """Every unordered pair of members: the value of each instance, and which two (indices) it compares."""

    values: Float[Tensor, "P B"]
    left: Int[Tensor, "P"]
    right: Int[Tensor, "P"]
    n: int

    def cpu(self) -> "Pairs":
        """The same pairs, their values in main memory."""
        return Pairs(self.values.cpu(), self.left, self.right, self.n)

    def keep(self, members: list[int]) -> "Pairs":
        """The pairs among some members, whose indices count from 0 again in the order given."""
        place = torch.full((self.n,), -1)
        place[members] = torch.arange(len(members))
        left, right = place[self.left], place[self.right]
        both = (left >= 0) & (right >= 0)
        return Pairs(self.values[both.to(self.values.device)], left[both], right[both], len(members))


class TruthAuc(NamedTuple):
    """ROC-AUC of every member and instance; ``known`` marks the instances that have one."""

    values: Float[Tensor, "M B"]
    known: Bool[Tensor, "B"]


def over_members(explanation: Explanation, comparison: Comparison) -> Pairs:
    """Compare every two members.

    >>> from holdfast.core.compare.tvd import Tvd
    >>> from holdfast.core.records import Member
    >>> scores = torch.tensor([[[1.0, 0.0]], [[1.0, 0.0]], [[0.0, 1.0]]])
    >>> about = (scores[0] >= 0, torch.tensor([0]), (Member(0), Member(1), Member(2)), "mine", False)
    >>> over_members(Explanation(scores, *about), Tvd()).values
    tensor([[0.],
            [1.],
            [1.]])
    """
    left, right = pairs_of(explanation)
    ready = comparison.prepare(explanation.scores, _wide(explanation), explanation.signed)
    pairs = zip(left.tolist(), right.tolist(), strict=True)
    values = [_both_ways(comparison, ready[i], ready[j], explanation.mask) for i, j in pairs]
    return Pairs(torch.stack(values), left, right, len(explanation.members))


def across(explanation: Explanation, others: Float[Tensor, "N B T"]) -> Float[Tensor, "M N B"]:
    """The total variation between every member and every one of ``others``, which explain the same.

    On a CPU some instances after the other, so that what is computed fits into its caches.
    """
    mask, scores = explanation.mask, explanation.scores
    size = len(mask) if mask.is_cuda else max(1, AT_ONCE // max(1, len(scores) * mask.shape[-1]))
    parts = []
    for start in range(0, len(mask), size):
        own = slice(start, start + size)
        pair = (given[:, own] for given in (scores, others))
        ready = (Tvd().prepare(s, mask[own].expand_as(s), explanation.signed) for s in pair)
        parts.append(Tvd().across(*ready))
    return torch.cat(parts, -1) if parts else scores.new_zeros(len(scores), len(others), 0)


def over_methods(a: Explanation, b: Explanation, comparison: Comparison) -> Float[Tensor, "M B"]:
    """Compare two explainers, member by member; by |score| unless both are signed (Baumhauer §4.2).

    Rows are the members that both have, in the order of ``a``.
    """
    return _matched(a, b, comparison)


def over_repairs(a: Explanation, b: Explanation, comparison: Comparison) -> Float[Tensor, "M B"]:
    """Compare the same seed before and after a repair, in two families; rows as in :func:`over_methods`."""
    return _matched(a, b, comparison)


def over_perturbations(a: Explanation, b: Explanation, comparison: Comparison) -> Float[Tensor, "M B"]:
    """Compare the same member's explanations of an input and of the same input a little changed, on the
    positions that both have; rows as in :func:`over_methods`."""
    return _matched(a, b, comparison)


def truth_auc(explanation: Explanation, truth: Float[Tensor, "B T"]) -> TruthAuc:
    """How well |score| finds the rationale: the chance that a true position outranks a false one.

    ``AUC = P(|score| of a true position > of a false one) + ½ P(equal)``; random scores give ½. Instances
    whose positions are all true or all false have no AUC: the value is 0.5, and ``known`` is False.

    >>> from holdfast.core.records import Member
    >>> scores, truth = torch.tensor([[[0.1, -0.7, 0.2]]]), torch.tensor([[0.0, 1.0, 0.0]])
    >>> truth_auc(Explanation(scores, truth >= 0, torch.tensor([0]), (Member(0),), "mine", True), truth)
    TruthAuc(values=tensor([[1.]]), known=tensor([True]))
    """
    _check_truth(explanation, truth)
    mask = explanation.mask
    yes, no = mask & (truth > 0), mask & (truth <= 0)
    n_yes, n_no = yes.sum(-1), no.sum(-1)
    known = (n_yes > 0) & (n_no > 0)
    # The mean rank of the true positions counts how many come before them: true ones, then false ones.
    rank = average_ranks(keys(explanation.scores, _wide(explanation), False))
    before = torch.where(yes, rank, 0.0).sum(-1) - n_yes * (n_yes - 1) / 2
    auc = 1.0 - before / (n_yes * n_no).clamp(min=1)
    return TruthAuc(torch.where(known, auc, 0.5).to(explanation.scores.dtype), known)


def _matched(a: Explanation, b: Explanation, comparison: Comparison) -> Float[Tensor, "M B"]:
    if a.mask.shape != b.mask.shape or not torch.equal(a.mask, b.mask):
        raise BadSetting(
            f"expected '{a.method}' and '{b.method}' to explain the same positions, but their masks differ: "
            "explain the same examples with both"
        )
    common = [member for member in a.members if member in b.members]
    if not common:
        raise TooFewMembers(
            f"'{a.method}' and '{b.method}' have no member in common, so nothing can be compared"
        )
    signed, wide = a.signed and b.signed, a.mask.expand(len(common), *a.mask.shape)
    first, second = (
        comparison.prepare(e.scores[[e.members.index(m) for m in common]], wide, signed) for e in (a, b)
    )
    return _both_ways(comparison, first, second, wide)


def _both_ways(comparison: Comparison, a: Tensor, b: Tensor, mask: Tensor) -> Tensor:
    value = comparison.between(a, b, mask)
    return value if comparison.symmetric else (value + comparison.between(b, a, mask)) / 2


def pairs_of(explanation: Explanation) -> tuple[Int[Tensor, "P"], Int[Tensor, "P"]]:
    """Every unordered pair of members, as indices."""
    n = len(explanation.members)
    if n < 2:
        raise TooFewMembers(f"stability needs at least two members, but '{explanation.method}' has {n}")
    left, right = torch.triu_indices(n, n, offset=1)
    return left, right


def _wide(explanation: Explanation) -> Tensor:
    return explanation.mask.expand_as(explanation.scores)


def _check_truth(explanation: Explanation, truth: Tensor) -> None:
    if truth.shape != explanation.mask.shape:
        raise BadSetting(
            f"expected truth of shape {tuple(explanation.mask.shape)}, one number for each position, "
            f"but got {tuple(truth.shape)}"
        )
