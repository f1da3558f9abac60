"""Made-up rows of the relevance study: what each cell's cosine is, and how members scatter about it."""

import random
from dataclasses import replace

from holdfast.studies.relevance.names import METHODS
from holdfast.study.measurement import Measurement

COSINE = {
    "shallow": 0.70,
    "deep": 0.78,
    "deep_v2": 0.82,
    "convdeep": 0.88,
    "deep:stationary=true": 0.77,
    "rlstm": 0.90,
    "rlstm:stationary=true": 0.93,
    "conv+deep": 0.84,
    "convrlstm:stationary=true": 0.94,
    "conv+rlstm:stationary=true": 0.85,
}
SENSITIVE = {"sensitivity": 0.2, "guided_backprop": 0.3, "simple_taylor": 0.5, "deep_taylor": 1.0, "lrp": 1.0}
DATA = ("mnist-maj", "fashion-maj")


def cosine_rows(
    noise: float = 0.004,
    means: dict[str, float] | None = None,
    data: tuple[str, ...] = DATA,
    methods: tuple[str, ...] = METHODS,
    members: int = 7,
    seed: int = 0,
    groups: int = 0,
    images: float = 0.0,
    repair: str = "none",
) -> list[Measurement]:
    """Cosines by member and their means, for every data set, cell and method; with ``groups`` of images,
    which each cell explains better or worse by ``images``."""
    draw, rows = random.Random(seed), []
    for name in data:
        for model, mean in (means or COSINE).items():
            for method in methods:
                middle = 0.75 + SENSITIVE[method] * (mean - 0.75)
                lift = [draw.gauss(0, images) for _ in range(groups)] or [0.0]
                values = [middle + draw.gauss(0, noise) + sum(lift) / len(lift) for _ in range(members)]
                rows += _rows(Measurement(name, model, repair, "cosine", 0.0, explainer=method), values, lift)
    return rows


def _rows(row: Measurement, values: list[float], lift: list[float]) -> list[Measurement]:
    at, whole = sum(values) / len(values), sum(lift) / len(lift)
    rows = [replace(row, value=at, low=at - 0.01, high=at + 0.01, n=len(values))]
    for k, value in enumerate(values):
        rows.append(replace(row, value=value, n=1, by="member", member=str(k), at=float(k)))
        for g, more in enumerate(lift if len(lift) > 1 else ()):
            about = {"by": "group", "bin": str(g), "at": float(g), "member": str(k), "n": 20}
            rows.append(replace(row, value=value + more - whole, **about))
    return rows
