"""Vectors in a plane, coloured by what is known of them."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.draws import permutation
from holdfast.data.interaction.attributes import Attribute
from holdfast.report.charts.base import Figure, table

MOST = 1000  # points of a figure: each takes about 140 bytes in the drawing and 45 in its numbers
SEVERAL, REST = "several", ""


def points(
    key: str, title: str, caption: str, where: Float[Tensor, "n 2"], attribute: Attribute, most: int = MOST
) -> Figure:
    """A point for each thing by its group, in the order of the groups; those of no group are grey.

    Of more than ``most`` points some are drawn by lot, always the same, those of no group last; the caption
    says how many.
    """
    known, lot = attribute.inside.any(1), permutation(len(where), None, "points")
    chosen = torch.cat([lot[known[lot]], lot[~known[lot]]])[:most].sort().values
    names = [_group(row, attribute.groups) for row in attribute.inside[chosen]]
    order = (REST, *attribute.groups, SEVERAL)
    size = float(where.abs().max().clamp(min=1e-12))
    rows = zip(names, (where[chosen] / size).round(decimals=3).tolist(), strict=True)
    kept = sorted(((name, x, y) for name, (x, y) in rows), key=lambda row: order.index(row[0]))
    if len(where) > most:
        caption += " " + _drawn(known, known[chosen])
    return Figure(key, title, caption, "points", table("points", kept), series=attribute.name)


def _drawn(known: Bool[Tensor, "n"], shown: Bool[Tensor, "m"]) -> str:
    """How many points are shown.

    >>> _drawn(torch.tensor([True, True, False]), torch.tensor([True, True]))
    'Shown, drawn at random: 2 of the 2 points in a group, 0 of the 1 others.'
    """
    all_of, some = ((int(each.sum()), int((~each).sum())) for each in (known, shown))
    return (
        f"Shown, drawn at random: {some[0]:,} of the {all_of[0]:,} points in a group, {some[1]:,} of the "
        f"{all_of[1]:,} others."
    )


def _group(row: Bool[Tensor, "g"], groups: tuple[str, ...]) -> str:
    inside = [name for name, there in zip(groups, row.tolist(), strict=True) if there]
    return SEVERAL if len(inside) > 1 else (inside or [REST])[0]
