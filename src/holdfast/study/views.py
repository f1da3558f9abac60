"""Images to look at: the same image as every seed sees it."""

from collections.abc import Iterator
from dataclasses import replace

import torch
from torch import Tensor

from holdfast.core.records import Explanation
from holdfast.data.image.dataset import ImageDataset
from holdfast.measure.hold import hold_each
from holdfast.measure.scale import Scale
from holdfast.study.examples import spaced
from holdfast.study.picture import CONSENSUS, INPUT, Picture, largest, signed_bytes
from holdfast.study.result import FamilyResult

COUNT, SEEDS = 4, 5


def views(family: FamilyResult, dataset: ImageDataset, scale: Scale) -> list[Picture]:
    """Images from the highest hold to the lowest by one explainer, each with the heat maps of a few
    seeds and of their consensus."""
    held = hold_each(scale).value
    places = spaced(held, torch.zeros(len(held)), COUNT)
    return [picture for place in places for picture in _view(family, dataset, place)]


def _view(family: FamilyResult, dataset: ImageDataset, place: int) -> Iterator[Picture]:
    row, classes = int(family.rows[place]), dataset.task.classes
    label, target = classes[int(family.targets[row])], classes[int(family.target[place])]
    image = dataset.images("test", torch.tensor([row]))[0]
    height, width = image.shape
    first = Picture(
        family.data, "", INPUT, CONSENSUS, row, label, target, height, width, _values(image), family.repair,
        largest(image.flatten().tolist()),
    )  # fmt: skip
    yield first
    for name, explanation in family.explanations.items():
        if name != "random":
            for seed, heat in _heats(explanation, place):
                drawn = dataset.image(heat)
                drawing = replace(first, values=_values(drawn), peak=largest(drawn.flatten().tolist()))
                yield replace(drawing, model=family.model, explainer=name, seed=seed)


def _heats(explanation: Explanation, place: int) -> Iterator[tuple[int, Tensor]]:
    """The mean of all members' maps, each with absolute values that add up to 1, then some of them."""
    scores = explanation.scores[:, place].double()
    scores = scores / scores.abs().sum(1, keepdim=True).clamp(min=1e-12)
    yield CONSENSUS, scores.mean(0)
    for member, heat in zip(explanation.members[:SEEDS], scores[:SEEDS], strict=True):
        yield member.seed, heat


def _values(drawn: Tensor) -> tuple[int, ...]:
    return signed_bytes(drawn.flatten().tolist())
