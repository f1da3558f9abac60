"""How far other seeds' attention is from that of each seed, by its largest weight and by label (Figure 2)."""

import math
from collections.abc import Iterator

from holdfast.measure.against_base import against_base, density, grouped
from holdfast.studies.seat.measures import ATTENTION
from holdfast.study.measure import Measurer
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult

DENSITY, LARGEST, CELLS = "divergence_density", "largest weight", 20


def density_rows(family: FamilyResult) -> Iterator[Measurement]:
    """The first seed is the base, as in the paper; the largest divergence of each text, in equal cells from 0
    to log 2. A bin without texts has no rows."""
    row, classes = Measurer(family).row, family.dataset.task.classes
    found = against_base(family.explanations[ATTENTION])
    for group in grouped([found], family.targets[family.rows], len(classes)):
        if len(group.farthest):
            heights = density(group.farthest, CELLS).tolist()
            about = {"explainer": ATTENTION, "comparison": "jensen_shannon", "by": LARGEST}
            for cell, height in enumerate(heights):
                place = {"bin": f"{group.bin}/{cell}", "at": (cell + 0.5) * math.log(2) / CELLS}
                yield row(
                    DENSITY, height, label=classes[group.label], n=len(group.farthest), **about, **place
                )
