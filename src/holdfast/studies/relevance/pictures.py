"""Which examples are shown as heat maps, and the pictures of them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from holdfast.data.image.dataset import StripDataset
from holdfast.studies.relevance.names import CENTRED, data_of
from holdfast.study.picture import INPUT, Picture, largest, signed_bytes
from holdfast.study.result import FamilyResult

SHOWN = 3


def pictures(cells: Sequence[FamilyResult], count: int = SHOWN) -> list[Picture]:
    """The first member's heat maps of the same few examples under every cell, and the images themselves.

    Examples are of different classes, the one whose ink is in the middle first (Chormai Figure 4.6); every
    cell of the data set must have explained them for their true class.
    """
    found: list[Picture] = []
    for data in dict.fromkeys(data_of(cell.data) for cell in cells):
        own = [(cell, StripDataset.narrow(cell.dataset)) for cell in cells if data_of(cell.data) == data]
        rows = _chosen([cell for cell, _ in own], count)
        for row in rows:
            found.append(_image(*own[0], row))
            found += [heat for cell, dataset in own for heat in _heats(cell, dataset, row)]
    return found


def _chosen(cells: Sequence[FamilyResult], count: int) -> list[int]:
    """Rows that every cell explained for their true class, one per class, the centred class first."""
    if not cells:
        return []
    common = set.intersection(*(_right(cell) for cell in cells))
    first, classes = cells[0], cells[0].dataset.task.classes
    centred = CENTRED.get(data_of(first.data))
    by_class: dict[str, int] = {}
    for row in sorted(common):
        by_class.setdefault(classes[int(first.targets[row])], row)
    ordered = sorted(by_class.items(), key=lambda item: (item[0] != centred, item[1]))
    return [row for _, row in ordered[:count]]


def _right(cell: FamilyResult) -> set[int]:
    return set(cell.rows[cell.target == cell.targets[cell.rows]].tolist())


def _image(cell: FamilyResult, dataset: StripDataset, row: int) -> Picture:
    drawn = dataset.pictures("test", torch.tensor([row]))[0]
    return replace(_picture(cell, "", INPUT, row, drawn), peak=largest(drawn.flatten().tolist()))


def _heats(cell: FamilyResult, dataset: StripDataset, row: int) -> Iterator[Picture]:
    place = cell.rows.tolist().index(row)
    for name, explanation in cell.explanations.items():
        if name != "random":
            heat = dataset.picture(explanation.scores[0, place].double())
            whole = float(heat.abs().sum())
            made = _picture(cell, cell.model, name, row, heat)
            yield replace(made, peak=largest(heat.flatten().tolist()) / whole if whole else 0.0)


def _picture(cell: FamilyResult, model: str, name: str, row: int, drawn: Tensor) -> Picture:
    label = cell.dataset.task.classes[int(cell.targets[row])]
    height, width = drawn.shape
    seed, values = cell.members[0].seed, signed_bytes(drawn.flatten().tolist())
    return Picture(cell.data, model, name, seed, row, label, label, height, width, values, cell.repair)
