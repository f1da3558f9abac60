"""Made-up rows of everything that the relevance study measures."""

import random
from functools import cache

from holdfast.studies.relevance.names import METHODS
from holdfast.studies.relevance.published_tables import tukey_rows
from holdfast.study.measurement import Measurement
from tests.study.relevance_rows import COSINE, DATA, cosine_rows

SINGLE = ("mnist:steps=1", "mnist", "mnist:steps=7")


@cache
def every_row(
    data: tuple[str, ...] = DATA, single: tuple[str, ...] = SINGLE, groups: int = 10
) -> tuple[Measurement, ...]:
    """The rows of the whole study; without ``groups`` those of a run that kept none."""
    draw = random.Random(1)
    rows = cosine_rows(noise=0.02, data=data, groups=groups, images=0.02)
    rows += tukey_rows(rows)
    for name in data:
        for model in COSINE:
            rows += _quality(name, model, draw)
            for method in METHODS:
                for quantity in ("deletion", "structure", "hold", "time", "lost"):
                    value = draw.uniform(0.1, 0.9)
                    rows.append(
                        Measurement(
                            name,
                            model,
                            "none",
                            quantity,
                            value,
                            value - 0.05,
                            value + 0.05,
                            7,
                            explainer=method,
                        )
                    )
            for method in (*METHODS, "random order"):
                speed = draw.uniform(0.05, 0.3)
                for step in range(13):
                    about = {"explainer": method, "by": "step", "bin": str(step), "at": float(step)}
                    value = (1 - speed) ** step
                    rows.append(
                        Measurement(
                            name, model, "none", "deletion", value, value - 0.03, value + 0.03, 7, **about
                        )
                    )
    for name in single:
        for model in ("shallow", "deep"):
            rows += _quality(name, model, draw) + _steps(name, model)
    return tuple(rows)


def _quality(data: str, model: str, draw: random.Random) -> list[Measurement]:
    right = draw.uniform(0.9, 0.99)
    rows = [
        Measurement(data, model, "none", "weights", 150_000.0, n=1),
        Measurement(data, model, "none", "accuracy", right, right - 0.004, right + 0.004, 7),
    ]
    for fold in range(7 if data.endswith("-maj") else 0):
        about = {"by": "member", "member": f"fold {fold}", "at": float(fold)}
        rows.append(Measurement(data, model, "none", "accuracy_held", draw.gauss(right, 0.002), n=1, **about))
    if data.endswith("-maj"):
        about = {"explainer": "deep_taylor", "n": 200}
        rows.append(Measurement(data, model, "none", "unknown", 0.02 if model == "deep" else 0.0, **about))
    return rows


def _steps(data: str, model: str) -> list[Measurement]:
    steps = {"mnist": 4}.get(data) or int(data[-1])
    rows = []
    for step in range(1, steps + 1):
        about = {"by": "step", "bin": str(step), "at": float(step), "label": "1"}
        rows.append(Measurement(data, model, "none", "ink", 1 / steps, n=1, **about))
        for method in METHODS:
            value = 2 * step / steps / (steps + 1) if model == "shallow" else 1 / steps
            rows.append(Measurement(data, model, "none", "time", value, n=7, explainer=method, **about))
    return rows
