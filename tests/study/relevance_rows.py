"""Made-up rows of the relevance study: what each cell's cosine is, and how members scatter about it."""

import random

from holdfast.study.relevance_names import METHODS
from holdfast.study.table import Row

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
) -> list[Row]:
    """Cosines by member and their means, for every data set, cell and method."""
    draw, rows = random.Random(seed), []
    for name in data:
        for model, mean in (means or COSINE).items():
            for method in methods:
                middle = 0.75 + SENSITIVE[method] * (mean - 0.75)
                values = [middle + draw.gauss(0, noise) for _ in range(members)]
                at = sum(values) / members
                about = {"explainer": method, "comparison": "cosine"}
                rows.append(Row(name, model, "none", "cosine", at, at - 0.01, at + 0.01, members, **about))
                rows += [
                    Row(name, model, "none", "cosine", v, n=1, **about, by="member", bin=str(k), at=float(k))
                    for k, v in enumerate(values)
                ]
    return rows
