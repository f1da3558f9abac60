"""Which examples are shown as heat maps, and the pictures of them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from holdfast.data.image.dataset import ImageDataset
from holdfast.studies.relevance.names import CENTRED, data_of
from holdfast.study.picture import INPUT, Picture, largest, signed_bytes
from holdfast.study.result import FamilyResult

SHOWN = 3


def pictures(families: Sequence[FamilyResult], count: int = SHOWN) -> list[Picture]:
    """The first member's heat maps of the same few examples under every family, and the images themselves.

    Examples are of different classes, the one whose ink is in the middle first (Chormai Figure 4.6); every
    family of the data set must have explained them for their true class.
    """
    drawn: list[Picture] = []
    for data in dict.fromkeys(data_of(family.data) for family in families):
        trained = [
            (family, ImageDataset.narrow(family.dataset))
            for family in families
            if data_of(family.data) == data
        ]
        rows = _chosen([family for family, _ in trained], count)
        for row in rows:
            drawn.append(_image(*trained[0], row))
            drawn += [heat for family, dataset in trained for heat in _heats(family, dataset, row)]
    return drawn


def _chosen(families: Sequence[FamilyResult], count: int) -> list[int]:
    """Rows that every family explained for their true class, one per class, the centred class first."""
    if not families:
        return []
    common = set.intersection(*(_right(family) for family in families))
    first, classes = families[0], families[0].dataset.task.classes
    centred = CENTRED.get(data_of(first.data))
    by_class: dict[str, int] = {}
    for row in sorted(common):
        by_class.setdefault(classes[int(first.targets[row])], row)
    ordered = sorted(by_class.items(), key=lambda item: (item[0] != centred, item[1]))
    return [row for _, row in ordered[:count]]


def _right(family: FamilyResult) -> set[int]:
    return set(family.rows[family.target == family.targets[family.rows]].tolist())


def _image(family: FamilyResult, dataset: ImageDataset, row: int) -> Picture:
    drawn = dataset.images("test", torch.tensor([row]))[0]
    return replace(_picture(family, "", INPUT, row, drawn), peak=largest(drawn.flatten().tolist()))


def _heats(family: FamilyResult, dataset: ImageDataset, row: int) -> Iterator[Picture]:
    place = family.rows.tolist().index(row)
    for name, explanation in family.explanations.items():
        if name != "random":
            heat = dataset.image(explanation.scores[0, place].double())
            whole = float(heat.abs().sum())
            made = _picture(family, family.model, name, row, heat)
            yield replace(made, peak=largest(heat.flatten().tolist()) / whole if whole else 0.0)


def _picture(family: FamilyResult, model: str, name: str, row: int, drawn: Tensor) -> Picture:
    label = family.dataset.task.classes[int(family.targets[row])]
    height, width = drawn.shape
    seed, values = family.members[0].seed, signed_bytes(drawn.flatten().tolist())
    return Picture(family.data, model, name, seed, row, label, label, height, width, values, family.repair)
