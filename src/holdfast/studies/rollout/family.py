"""What the rollout study measures on the trained members: single heads, deletion, untrained weights."""

from collections.abc import Iterator

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.draws import permutation
from holdfast.core.records import Explanation
from holdfast.core.settings import split_label
from holdfast.measure.pairing import over_methods
from holdfast.measure.probes.faithfulness import curves, random_curves
from holdfast.measure.probes.item_deletion import Divergence, ItemDeletion, area
from holdfast.measure.reduce import mean_over_members
from holdfast.studies.rollout.measures import SPEARMAN
from holdfast.studies.rollout.names import FIRST, GRADIENT, LAST, PAIRS, ROLLOUT, SHAPLEY, Shape
from holdfast.studies.rollout.numbers import numbers, over_both, row
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult, family_of
from holdfast.train.family import Family, initial
from holdfast.train.job import stack

DELETED = 500  # histories that are taken apart, at most; and at most half as many as were explained
DELETED_BY = (FIRST, LAST, ROLLOUT, GRADIENT, SHAPLEY)
COPIES = 2  # random orders
RANDOM = "random order"
DIVERGENCES: tuple[Divergence, ...] = ("jeffreys", "jensen_shannon")


def heads_of(family: FamilyResult, shape: Shape) -> tuple[Explanation, ...]:
    """The attention of each of two heads of the first block; nothing where there are not two."""
    if shape.heads != 2:
        return ()
    trained, split = family_of(family), family.dataset.splits["test"]
    arguments = [make("explainers", f"{FIRST}:head={head}") for head in range(2)]
    return tuple(trained.explain(explainer, split, family.rows, family.target) for explainer in arguments)


def untrained_rows(family: FamilyResult) -> Iterator[Measurement]:
    """The correlations of the same members before they learned anything: what the architecture alone makes
    of them (after Adebayo et al. 2018)."""
    parts = [initial(family.job.architecture, family.dataset.task, member) for member in family.members]
    parameters = {name: tensor.to(family.device) for name, tensor in stack(parts).items()}
    trained = Family(family.job.architecture, family.dataset.task, family.members, parameters)
    arguments = (family.dataset.splits["test"], family.rows, family.target)
    labels = {split_label(text)[0]: text for text in family.explanations}
    explanations = {
        name: trained.explain(make("explainers", labels[name]), *arguments)
        for name in (GRADIENT, FIRST, LAST, ROLLOUT)
        if name in labels
    }
    for one, other in PAIRS:
        if one in explanations and other in explanations:
            values = over_methods(explanations[one], explanations[other], make("comparisons", SPEARMAN))
            about = {"explainer": one, "other_explainer": other, "comparison": SPEARMAN}
            yield row(family, "correlation_untrained", over_both(values), **about)


def deletion_rows(family: FamilyResult) -> Iterator[Measurement]:
    """How far the distribution of the next item moves when a history loses items, most important first
    (Figure 4.7).

    ``deletion`` by ``step`` is the curve; over ``all`` it is what the mean of the curve has above that of a
    random order. ``curvature`` is how far the mean of a curve lies above half its end: below 0 it is convex.
    """
    trained, split = family_of(family), family.dataset.splits["test"]
    rows = longest(family, min(DELETED, max(1, len(family.rows) // 2)))
    arguments = (split, rows, split.targets[rows])
    labels = {split_label(text)[0]: text for text in family.explanations}
    scores = {
        name: trained.explain(make("explainers", labels[name]), *arguments).scores.abs()
        for name in DELETED_BY
        if name in labels
    }
    for of in DIVERGENCES:
        probe = ItemDeletion(of=of)
        chance = random_curves(trained, probe, *arguments, copies=COPIES)
        yield from _curve(family, chance, RANDOM, of)
        for name, ranking in scores.items():
            curve = curves(trained, probe, *arguments, ranking)
            about = {"explainer": name, "comparison": of}
            yield from numbers(family, "deletion", area(curve) - area(chance), about)
            yield from _curve(family, curve, name, of)


def longest(family: FamilyResult, count: int) -> Int[Tensor, "R"]:
    """Rows of the test split, drawn at random: full histories first, then the longer ones."""
    split = family.dataset.splits["test"]
    rows = permutation(len(split), None, "deleted")
    lengths = torch.cat([split.scored(part).sum(1) for part in torch.split(rows, 4096)])
    return rows[lengths.argsort(descending=True, stable=True)[:count]].sort().values


def _curve(family: FamilyResult, curve: Float[Tensor, "M N S"], name: str, of: str) -> Iterator[Measurement]:
    means, about = curve.double().mean(1), {"explainer": name, "comparison": of}
    for step, values in enumerate(means.T):
        at = {"by": "step", "bin": str(step), "at": float(step)}
        yield row(family, "deletion", mean_over_members(values), **(about | at))
    ends = means[:, -1]
    if bool((ends > 0).all()):
        yield row(family, "curvature", mean_over_members(means.mean(1) / ends - 0.5), **about)
