"""The uniform numbers of one training step: the model's, and beside them the repair's."""

import math

import torch

from holdfast.core.draws import fill_uniform
from holdfast.core.records import Batch, Member
from holdfast.models.base import Model
from holdfast.train.repair import Repair, Tensors

Shapes = dict[str, tuple[int, ...]]


def shapes_of(model: Model, repair: Repair, batch: Batch) -> tuple[Shapes, Shapes]:
    """What the model wants for this batch, and what the repair wants, under ``repair/<name>``."""
    return model.noise(batch), {f"repair/{name}": shape for name, shape in repair.draws(batch).items()}


class Noise:
    """Draws for some members, each from its own seed, where the training runs."""

    def __init__(
        self, model: Model, repair: Repair, members: tuple[Member, ...], device: torch.device
    ) -> None:
        self.model, self.repair, self.members = model, repair, members
        self.rng = torch.Generator(device)

    def draw(self, batch: Batch, epoch: int, number: int) -> Tensors:
        """The numbers of step ``number`` of an epoch, with the member axis first.

        The repair's are another draw than the model's: a model's dropout is the same under every repair.
        """
        of_model, of_repair = shapes_of(self.model, self.repair, batch)
        return self._drawn(of_model, "noise", epoch, number) | self._drawn(of_repair, "repair", epoch, number)

    def _drawn(self, shapes: Shapes, name: str, epoch: int, number: int) -> Tensors:
        if not shapes:
            return {}
        sizes = [math.prod(shape) for shape in shapes.values()]
        flat = torch.empty(len(self.members), sum(sizes), device=self.rng.device)
        for buffer, member in zip(flat, self.members, strict=True):
            fill_uniform(buffer, self.rng, member, name, epoch, number)
        parts = zip(shapes.items(), torch.split(flat, sizes, 1), strict=True)
        return {key: torch.unflatten(part, 1, shape) for (key, shape), part in parts}
