"""Made-up rows of everything that the rollout study measures, close to what was published."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import torch

from holdfast.core.catalogue import make
from holdfast.core.records import Member
from holdfast.core.settings import label
from holdfast.studies.rollout.family import DELETED_BY, DIVERGENCES, RANDOM
from holdfast.studies.rollout.genres import GENRES, ORDERS
from holdfast.studies.rollout.measures import GAINS, SPEARMAN, TOP
from holdfast.studies.rollout.names import (
    FIRST,
    GRADIENT,
    HEADS,
    LAST,
    LEFT_OUT,
    PAIRS,
    ROLLOUT,
    SHAPES,
    SHAPLEY,
    model_of,
)
from holdfast.studies.rollout.numbers import numbers, row
from holdfast.study.measurement import Measurement
from tests.study.rollout_families import family

MEANS = {
    (GRADIENT, FIRST): 0.8,
    (GRADIENT, LAST): 0.6,
    (GRADIENT, ROLLOUT): 0.95,
    (SHAPLEY, FIRST): 0.4,
    (SHAPLEY, ROLLOUT): 0.45,
    (SHAPLEY, LEFT_OUT): 0.7,
    (GRADIENT, HEADS[0]): 0.75,
    (GRADIENT, HEADS[1]): 0.7,
    HEADS: 0.72,
}
RECALL = {"sasrec": 0.815, "bert4rec": 0.785}
SEEDS, USERS = 10, 60


@cache
def made_rows(
    data: tuple[str, ...] = ("ml-1m:holdout=validation",),
    seeds: int = SEEDS,
    changes: tuple[tuple[tuple[str, str], float], ...] = (),
) -> tuple[Measurement, ...]:
    """Rows of every shape; ``changes`` are other means of some pairs."""
    return tuple(one for name in data for one in _rows(name, seeds, MEANS | dict(changes)))


def _rows(data: str, seeds: int, means: dict[tuple[str, str], float]) -> Iterator[Measurement]:
    draw = torch.Generator().manual_seed(3)

    def values(mean, apart=0.01):
        own = mean + apart * torch.randn(seeds, 1, generator=draw, dtype=torch.float64)
        return (own + 0.05 * torch.randn(seeds, USERS, generator=draw, dtype=torch.float64)).clamp(
            max=max(1.0, 2 * mean)
        )

    for shape in SHAPES:
        name = label(make("models", model_of(shape, data)))
        who = tuple(Member(seed) for seed in range(seeds))
        own = replace(family(), data=data, model=name, members=who)
        right = RECALL[shape.model]
        yield Measurement(data, name, "none", "recall", right, right - 0.001, right + 0.001, seeds)
        for among in ("sampled", "all items"):
            yield Measurement(data, name, "none", "ndcg@10", 0.5, 0.4, 0.6, seeds, by="among", bin=among)
        pairs = [*PAIRS, (SHAPLEY, LEFT_OUT)]
        pairs += [(GRADIENT, head) for head in HEADS] + [HEADS] if shape.heads == 2 else []
        for one, other in pairs:
            about = {"explainer": one, "other_explainer": other, "comparison": SPEARMAN}
            yield from numbers(own, "correlation", values(means[one, other]), about)
            for kind in ("seeds", "user", "crossed", "untrained"):
                yield row(own, f"correlation_{kind}", 0.1, n=seeds, **about)
        entropy = values(4.4 if shape.model == "sasrec" else 3.9)
        yield from numbers(own, "entropy", entropy, {"explainer": FIRST})
        for explainer in (FIRST, ROLLOUT):
            yield from numbers(own, "against", values(0.4), {"explainer": explainer})
            yield row(own, "reasons", 1.0, explainer=explainer)
            yield row(own, "hold", 0.7, explainer=explainer)
        if shape.blocks == 1:
            yield from _single(own, values)
        if (shape.blocks, shape.heads) == (2, 1):
            yield from _deleted(own, values)


def _single(own, values):
    about = {"explainer": SHAPLEY, "other_explainer": FIRST}
    for text in GAINS:
        mean = 0.63 if "lin" in text else 0.61
        yield from numbers(own, "top", values(mean), about | {"comparison": text})
    for text in GAINS[1::2]:
        yield from numbers(own, "top_gain", values(0.02, 0.001), about | {"comparison": text})
        yield row(own, "wilcoxon", 1e-40, n=10, **(about | {"comparison": text}))
    yield from numbers(own, "top", values(0.1), about | {"comparison": TOP})
    for step in range(20):
        at = -0.95 + step / 10
        for one, other in ((GRADIENT, FIRST), (SHAPLEY, FIRST)):
            pair = {"explainer": one, "other_explainer": other, "comparison": SPEARMAN}
            yield row(own, "histogram", 0.05, by="correlation", bin=f"{at:.2f}", at=at, **pair)
    for number, name in enumerate(("users", "items", "actions")):
        yield row(own, name, 10.0 ** (number + 3))
    for quantity in ORDERS:
        for query in GENRES:
            for key in GENRES:
                weight = 1.2 if query == key else 0.9
                yield row(own, quantity, weight, by="genre", bin=f"{query}/{key}")
    for epoch in (1, 2, 3):
        about = {"explainer": GRADIENT, "other_explainer": ROLLOUT, "comparison": SPEARMAN}
        yield row(own, "dynamics", 0.9, by="epoch", bin=str(epoch), at=float(epoch), **about)


def _deleted(own, values):
    for of in DIVERGENCES:
        for name in DELETED_BY:
            yield from numbers(own, "deletion", values(0.3), {"explainer": name, "comparison": of})
        for name in (*DELETED_BY, RANDOM):
            for step in range(4):
                at = {"by": "step", "bin": str(step), "at": float(step)}
                yield row(own, "deletion", 0.1 * step, explainer=name, comparison=of, **at)
