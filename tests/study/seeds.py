"""Rows of families of seeds whose distances were chosen, and the same numbers as tables for naive twins."""

import itertools
import random

from holdfast.study.measurement import Measurement

TEXTS, GROUPS = 40, 5


def distances(seeds, mean, noise=0.1, seed=0):
    """A distance for each pair of seeds and each text."""
    draw, own = random.Random(f"{seed} {mean}"), random.Random(seed)
    level = {s: 1 + noise * own.uniform(-1, 1) for s in range(seeds)}  # a seed is odd under every repair
    return {
        (i, j): [mean * level[i] * level[j] * draw.uniform(0.9, 1.1) for _ in range(TEXTS)]
        for i, j in itertools.combinations(range(seeds), 2)
    }


def pair_rows(table, place, explainer="attention", comparison="kl"):
    """The rows that a run keeps of these distances."""
    about = {"explainer": explainer, "comparison": comparison}
    for (i, j), values in table.items():
        yield Measurement(
            *place,
            "stability",
            sum(values) / TEXTS,
            by="pair",
            member=str(i),
            other_member=str(j),
            n=TEXTS,
            **about,
        )
    for group in range(GROUPS):
        own = [sum(v[t] for v in table.values()) / len(table) for t in range(TEXTS) if t % GROUPS == group]
        yield Measurement(
            *place, "stability", sum(own) / len(own), by="group", bin=str(group), n=len(own), **about
        )


def accuracy_rows(values, place):
    """The accuracy of every seed, the same on every group of texts."""
    for seed, value in enumerate(values):
        yield Measurement(*place, "accuracy", value, by="member", member=str(seed), at=float(seed), n=1)
    for group in range(GROUPS):
        mean = sum(values) / len(values)
        yield Measurement(*place, "accuracy", mean, by="group", bin=str(group), n=TEXTS // GROUPS)


def family(data="sst2", model="cnn", repair="none", *, kl=0.2, spread=0.01, mean=0.83, seeds=8, seed=0):
    """Every row of one family, with a mean distance of attention and a spread of accuracy."""
    place, draw = (data, model, repair), random.Random(f"{seed} {data} {model} {repair}")
    steps = [(s - (seeds - 1) / 2) / seeds for s in range(seeds)]
    right = [mean + spread * 3 * step + 0.0002 * draw.uniform(-1, 1) for step in steps]
    return [
        *pair_rows(distances(seeds, kl, seed=seed), place),
        *pair_rows(distances(seeds, 2 * kl, seed=seed), place, "attention", "jaccard"),
        *pair_rows(distances(seeds, kl / 2, seed=seed), place, "gradient", "kl"),
        *accuracy_rows(right, place),
    ]
