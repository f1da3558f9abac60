"""Made-up images: three blocks with a stroke each, and heat maps that find them more or less."""

import math
import random
from dataclasses import replace

from holdfast.studies.relevance.names import METHODS
from holdfast.study.picture import CONSENSUS, INPUT, Picture, signed_bytes

CELLS = (
    "shallow", "deep", "deep_v2", "convdeep", "deep:stationary=true", "rlstm", "rlstm:stationary=true",
    "conv+deep", "convrlstm:stationary=true", "conv+rlstm:stationary=true",
)  # fmt: skip


def ink(height: int, width: int, blocks: int) -> list[float]:
    """A ring in every block."""
    size = width // blocks
    values = []
    for y in range(height):
        for x in range(width):
            r = math.hypot((x % size - size / 2 + 0.5) / size, (y - height / 2 + 0.5) / height)
            values.append(math.exp(-(((r - 0.28) / 0.09) ** 2)))
    return values


def pictures(
    data: str = "mnist-maj",
    cells: tuple[str, ...] = CELLS,
    rows: tuple[int, ...] = (3, 5),
    shape: tuple[int, int, int] = (28, 84, 3),
    methods: tuple[str, ...] = METHODS,
) -> list[Picture]:
    """The image and every heat map of some rows."""
    height, width, blocks = shape
    drawn, draw, maps = ink(*shape), random.Random(len(data)), []
    for row in rows:
        about = {
            "seed": 0,
            "row": row,
            "label": str(row),
            "target": str(row),
            "height": height,
            "width": width,
        }
        maps.append(Picture(data, "", "input", values=signed_bytes(drawn), **about))
        for place, cell in enumerate(cells):
            for method in methods:
                wrong = row % blocks
                values = [
                    v
                    * (
                        -0.5
                        if x % width // (width // blocks) == wrong and method in ("lrp", "simple_taylor")
                        else 1
                    )
                    + draw.gauss(0, 0.3 / (1 + place)) * (method == "simple_taylor" or v > 0.2)
                    for x, v in enumerate(drawn)
                ]
                if method not in ("lrp", "simple_taylor"):
                    values = [abs(v) for v in values]
                maps.append(Picture(data, cell, method, values=signed_bytes(values), **about))
    return maps


def audited(
    data: str = "digits-maj",
    rows: tuple[int, ...] = (3, 5),
    seeds: tuple[int, ...] = (0, 1, 2),
    shape: tuple[int, int, int] = (8, 24, 3),
    model: str = "convrlstm",
) -> list[Picture]:
    """What an audit of images keeps: each image, then the consensus and some seeds of every explainer."""
    made = []
    for picture in pictures(data, (model,), rows, shape, ("deep_taylor", "lrp")):
        if picture.explainer == INPUT:
            made.append(replace(picture, seed=CONSENSUS))
        else:
            turned = [picture.values[seed:] + picture.values[:seed] for seed in (0, *seeds)]
            made += [
                replace(picture, seed=seed, values=values)
                for seed, values in zip((CONSENSUS, *seeds), turned, strict=True)
            ]
    return made
