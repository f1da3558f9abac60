"""What the explanations of a family of recommenders tell: which rankings agree, and whether that holds."""

from collections.abc import Iterator

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.compare.ranks import keys, ranks
from holdfast.core.records import Explanation
from holdfast.core.settings import split_label
from holdfast.measure.entropy import entropy
from holdfast.measure.pairing import over_methods
from holdfast.measure.reduce import mean_over_members, spread
from holdfast.measure.statistics import wilcoxon
from holdfast.studies.rollout.names import (
    FIRST,
    GRADIENT,
    HEADS,
    LAST,
    LEFT_OUT,
    PAIRS,
    ROLLOUT,
    SHAPLEY,
    SIGNED,
    Shape,
)
from holdfast.studies.rollout.numbers import numbers, of_member, over_both, row
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult

SPEARMAN, TOP = "spearman", "jaccard:k=3"
FROM_0, FROM_1 = "", ":first_rank=1"
GAINS = tuple(f"ndcg_{kind}{first}" for first in (FROM_0, FROM_1) for kind in ("log", "lin"))
DRAWN = ((GRADIENT, FIRST), (GRADIENT, ROLLOUT), (SHAPLEY, FIRST))  # Figure 4.2
BINS = 20  # from −1 to 1
NAMED = 3  # items in a reason
LEAST = 1e-300  # a smaller p has no logarithm any more


class Agreements:
    """Builds the rows of one family; ``found`` are its explanations by the name of the method alone."""

    def __init__(self, family: FamilyResult, shape: Shape, heads: tuple[Explanation, ...] = ()) -> None:
        self.family, self.shape = family, shape
        self.explanations = {split_label(name)[0]: one for name, one in family.explanations.items()}
        self.explanations |= dict(zip(HEADS, heads, strict=False))

    def rows(self) -> Iterator[Measurement]:
        """Everything that explanations alone tell."""
        for one, other in self._pairs():
            about = {"explainer": one, "other_explainer": other, "comparison": SPEARMAN}
            values = over_methods(
                self.explanations[one], self.explanations[other], make("comparisons", SPEARMAN)
            )
            yield from numbers(self.family, "correlation", values, about)
            yield from self._seeds(values, about)
            yield from self._crossed(about)
            if (one, other) in DRAWN and self.shape.blocks == 1:
                yield from self._histogram(values, about)
        if self.shape.blocks == 1 and {SHAPLEY, FIRST} <= set(self.explanations):
            yield from self._top_heavy()
        if FIRST in self.explanations:
            first = self.explanations[FIRST]
            spread_out = entropy(first.scores, first.mask.expand_as(first.scores))
            yield from numbers(self.family, "entropy", spread_out, {"explainer": FIRST})
        yield from self._against()

    def _pairs(self) -> list[tuple[str, str]]:
        several = [
            pair for pair in PAIRS if self.shape.blocks > 1 or LAST not in pair
        ]  # else it is the first
        pairs = [*several, (SHAPLEY, LEFT_OUT), *((GRADIENT, head) for head in HEADS), HEADS]
        return [
            (one, other) for one, other in pairs if one in self.explanations and other in self.explanations
        ]

    def _seeds(self, values: Float[Tensor, "M K"], about: dict[str, str]) -> Iterator[Measurement]:
        """How far the mean correlation, and that of a single user, moves from seed to seed."""
        if len(values) > 1:
            n = len(values)
            sd = spread(values.double().mean(1)).sd
            yield row(self.family, "correlation_seeds", sd, n=n, **about)
            each = values.double().std(0).mean().item()
            yield row(self.family, "correlation_user", each, n=n, **about)

    def _crossed(self, about: dict[str, str]) -> Iterator[Measurement]:
        """The same correlation with the second ranking taken from the next seed: what of it is not of one
        model, but of what all models have in common (that late items count more, say)."""
        one, other = self.explanations[about["explainer"]], self.explanations[about["other_explainer"]]
        if len(self.family.members) < 2 or about["other_explainer"] in HEADS:
            return
        compare, signed = make("comparisons", SPEARMAN), one.signed and other.signed
        wide = one.mask.expand_as(one.scores)
        left, right = (compare.prepare(e.scores, wide, signed) for e in (one, other))
        values = compare.between(left, right.roll(1, 0), wide)
        yield row(self.family, "correlation_crossed", over_both(values), **about)

    def _histogram(self, values: Float[Tensor, "M K"], about: dict[str, str]) -> Iterator[Measurement]:
        """The share of users in each tenth of a unit (Figure 4.2)."""
        place = ((values.double() + 1) * BINS / 2).long().clamp(0, BINS - 1)
        shares = torch.nn.functional.one_hot(place, BINS).double().mean(1)
        for number, share in enumerate(shares.T):
            middle = -1 + (2 * number + 1) / BINS
            bin = {"by": "correlation", "bin": f"{middle:.2f}", "at": middle}
            yield row(self.family, "histogram", mean_over_members(share), **(about | bin))

    def _top_heavy(self) -> Iterator[Measurement]:
        """Do |Shapley| and attention agree more on the first items than on all (Table 4.6)?"""
        one, other, about = (
            self.explanations[SHAPLEY],
            self.explanations[FIRST],
            {"explainer": SHAPLEY, "other_explainer": FIRST},
        )
        whole = {text: over_methods(one, other, make("comparisons", text)) for text in GAINS}
        for text, values in whole.items():
            yield from numbers(self.family, "top", values, about | {"comparison": text})
        for first in (FROM_0, FROM_1):
            change = whole[f"ndcg_log{first}"].double() - whole[f"ndcg_lin{first}"].double()
            yield from numbers(self.family, "top_gain", -change, about | {"comparison": f"ndcg_lin{first}"})
            yield from self._wilcoxon(change, about | {"comparison": f"ndcg_lin{first}"})
        index = 1 - over_methods(one, other, make("comparisons", TOP))
        yield from numbers(self.family, "top", index, about | {"comparison": TOP})

    def _wilcoxon(self, change: Float[Tensor, "M K"], about: dict[str, str]) -> Iterator[Measurement]:
        """p of each member, and the middle one."""
        ps = [max(wilcoxon(changes, "less"), LEAST) for changes in change]
        for member, p in zip(self.family.members, ps, strict=True):
            yield row(self.family, "wilcoxon", p, **(about | of_member(member)))
        yield row(self.family, "wilcoxon", sorted(ps)[len(ps) // 2], n=len(ps), **about)

    def _against(self) -> Iterator[Measurement]:
        """Of the three items that a reason would name, the share whose Shapley value speaks against; and for
        how many users there is a reason at all."""
        if SHAPLEY not in self.explanations:
            return
        truth = self.explanations[SHAPLEY].scores
        for name in (FIRST, ROLLOUT, GRADIENT, LEFT_OUT, SIGNED):
            if name in self.explanations:
                named = _named(self.explanations[name])
                share = ((truth < 0) & named).sum(-1) / named.sum(-1).clamp(min=1)
                exists = named.any(-1)
                yield from numbers(self.family, "against", share, {"explainer": name}, exists)
                told = mean_over_members(exists.double().mean(1))
                yield row(self.family, "reasons", told, explainer=name)


def _named(explanation: Explanation) -> Bool[Tensor, "M K T"]:
    """The items that a reason names: the first three that there are and that, with a sign, speak for it."""
    wide = explanation.mask.expand_as(explanation.scores)
    first = ranks(keys(explanation.scores, wide, explanation.signed)) < NAMED
    return first & wide & (explanation.scores > 0 if explanation.signed else wide)
