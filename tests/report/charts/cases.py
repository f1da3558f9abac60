"""One figure of every kind."""

import math
from dataclasses import replace

import torch

from holdfast.data.interaction.attributes import Attribute
from holdfast.measure.reduce import Interval
from holdfast.report.charts import agree, confidence, holds, quality, repaired
from holdfast.report.charts.base import Figure
from holdfast.report.charts.curves import published, trajectories, word_bars
from holdfast.report.charts.points import points
from holdfast.report.charts.surface import surface
from holdfast.report.charts.trade import trade
from holdfast.study.published_number import Published
from tests.report.synthetic import make_findings

HALF = Interval(0.5, None, None, 2)


def every_kind(name: str = "none") -> dict[str, Figure]:
    """Figures by kind; ``name`` is put wherever a name from outside can stand."""
    rows = make_findings().rows
    xs = [-1 + i / 4 for i in range(9)]
    loss = [[(x - 0.2) ** 2 + y * y + 0.1 * math.sin(5 * x) for x in xs] for y in xs]
    record = Published(name, name, name, 1.0, 1.2, 1.1, 1.3, 9)
    figures = [
        *holds.hold_by(rows, "confidence"),
        *holds.hold_by_label(rows),
        *quality.accuracy(rows),
        *confidence.reliability(rows),
        *agree.agreement(rows, "spearman"),
        word_bars("words", name, name, [name, "b"], {name: [0.1, 0.2], "aswa": [0.2, float("nan")]}),
        surface(
            "surface", name, name, xs, xs, loss, {name: [(-1, 1), (0, 0)], "aswa": [(-1, 1), (0.2, 0.1)]}
        ),
        trajectories("paths", name, name, {name: [(0, 0), (1, 1)], "1": [(0, 0), (1, -1)]}),
        points("points", name, name, torch.eye(3, 2), Attribute.of(name, [[name], ["b"], []])),
        *published("published", name, name, [record, replace(record, column="KL", low=None)]),
        *repaired.gain(rows),
        trade(
            "crosses", name, name, [(name, *[Interval(0.8, 0.7, 0.9, 3)] * 2), ("b", HALF, HALF)], (name, "")
        ),
    ]
    return {figure.kind: figure for figure in figures}
