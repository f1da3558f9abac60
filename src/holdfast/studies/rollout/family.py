"""What the rollout study asks of the trained members themselves: single heads, deletion, first weights."""

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
from holdfast.study.result import FamilyResult
from holdfast.train.family import Family, initial
from holdfast.train.job import stack

DELETED = 500  # histories that are taken apart, at most; and at most half as many as were explained
DELETED_BY = (FIRST, LAST, ROLLOUT, GRADIENT, SHAPLEY)
COPIES = 2  # random orders
RANDOM = "random order"
DIVERGENCES: tuple[Divergence, ...] = ("jeffreys", "jensen_shannon")


def family_of(cell: FamilyResult) -> Family:
    """The trained members of a cell, on its device."""
    stacked = stack([cell.job.parameters(member) for member in cell.members])
    parameters = {name: tensor.to(cell.device) for name, tensor in stacked.items()}
    return Family(cell.job.architecture, cell.dataset.task, cell.members, parameters)


def heads_of(cell: FamilyResult, shape: Shape) -> tuple[Explanation, ...]:
    """The attention of each of two heads of the first block; nothing where there are not two."""
    if shape.heads != 2:
        return ()
    family, split = family_of(cell), cell.dataset.splits["test"]
    asked = [make("explainers", f"{FIRST}:head={head}") for head in range(2)]
    return tuple(family.explain(explainer, split, cell.rows, cell.target) for explainer in asked)


def untrained_rows(cell: FamilyResult) -> Iterator[Measurement]:
    """The correlations of the same members before they learned anything: what the architecture alone makes
    of them (after Adebayo et al. 2018)."""
    parts = [initial(cell.job.architecture, cell.dataset.task, member) for member in cell.members]
    parameters = {name: tensor.to(cell.device) for name, tensor in stack(parts).items()}
    family = Family(cell.job.architecture, cell.dataset.task, cell.members, parameters)
    asked = (cell.dataset.splits["test"], cell.rows, cell.target)
    labels = {split_label(text)[0]: text for text in cell.explanations}
    found = {
        name: family.explain(make("explainers", labels[name]), *asked)
        for name in (GRADIENT, FIRST, LAST, ROLLOUT)
        if name in labels
    }
    for one, other in PAIRS:
        if one in found and other in found:
            values = over_methods(found[one], found[other], make("comparisons", SPEARMAN))
            about = {"explainer": one, "other": other, "comparison": SPEARMAN}
            yield row(cell, "correlation_untrained", over_both(values), **about)


def deletion_rows(cell: FamilyResult) -> Iterator[Measurement]:
    """How far the distribution of the next item moves when a history loses items, most important first
    (Figure 4.7).

    ``deletion`` by ``step`` is the curve; over ``all`` it is what the mean of the curve has above that of a
    random order. ``curvature`` is how far the mean of a curve lies above half its end: below 0 it is convex.
    """
    family, split = family_of(cell), cell.dataset.splits["test"]
    rows = longest(cell, min(DELETED, max(1, len(cell.rows) // 2)))
    asked = (split, rows, split.targets[rows])
    labels = {split_label(text)[0]: text for text in cell.explanations}
    scores = {
        name: family.explain(make("explainers", labels[name]), *asked).scores.abs()
        for name in DELETED_BY
        if name in labels
    }
    for of in DIVERGENCES:
        probe = ItemDeletion(of=of)
        chance = random_curves(family, probe, *asked, copies=COPIES)
        yield from _curve(cell, chance, RANDOM, of)
        for name, own in scores.items():
            curve = curves(family, probe, *asked, own)
            about = {"explainer": name, "comparison": of}
            yield from numbers(cell, "deletion", area(curve) - area(chance), about)
            yield from _curve(cell, curve, name, of)


def longest(cell: FamilyResult, count: int) -> Int[Tensor, "R"]:
    """Rows of the test split by lot: full histories first, then the longer ones."""
    split = cell.dataset.splits["test"]
    rows = permutation(len(split), None, "deleted")
    lengths = torch.cat([split.scored(part).sum(1) for part in torch.split(rows, 4096)])
    return rows[lengths.argsort(descending=True, stable=True)[:count]].sort().values


def _curve(cell: FamilyResult, curve: Float[Tensor, "M N S"], name: str, of: str) -> Iterator[Measurement]:
    means, about = curve.double().mean(1), {"explainer": name, "comparison": of}
    for step, values in enumerate(means.T):
        at = {"by": "step", "bin": str(step), "at": float(step)}
        yield row(cell, "deletion", mean_over_members(values), **(about | at))
    ends = means[:, -1]
    if bool((ends > 0).all()):
        yield row(cell, "curvature", mean_over_members(means.mean(1) / ends - 0.5), **about)
