"""LeNet-5, the feed-forward control."""

from dataclasses import dataclass

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from holdfast.core.records import Batch, Edit, Trace
from holdfast.data.base import Task
from holdfast.models.image.classifier import ImageArchitecture, ImageModel
from holdfast.models.image.fronts import shrunk
from holdfast.models.image.layers import Drop, conv, dense, dropped, pool, same

FILTERS, KERNEL, DENSE = (6, 16), 5, (120, 84)


@dataclass(frozen=True)
class Lenet(ImageArchitecture):
    """All strips side by side through two convolutions with pooling → 120 → 84 → classes (LeCun et al. 1998).

    The second convolution is cut at the edges, unless the map is smaller than its kernel. It has no steps, so
    ``stationary`` changes nothing. The control of Chormai Figure 3.14.

    >>> model = Lenet().build(Task(0, tuple("0123456789"), strip=(1, 28, 28)))
    >>> sum(p.numel() for p in model.parameters())
    61706
    """

    def model(self, task: Task, strip: tuple[int, int, int]) -> "FeedForward":
        """A freshly initialised model."""
        return FeedForward(task, strip, self.dropout)


class FeedForward(ImageModel):
    """The image as a whole; steps beyond the task's are not part of it."""

    def __init__(self, task: Task, strip: tuple[int, int, int], rate: float) -> None:
        super().__init__(rate, stationary=False)
        self.steps, sides = strip[0], (shrunk(strip[1], 1), shrunk(strip[0] * strip[2], 1))
        cut = min(sides) >= KERNEL
        height, width = (shrunk(side - (KERNEL - 1 if cut else 0), 1) for side in sides)
        self.first = conv(1, FILTERS[0], KERNEL)
        self.second = conv(FILTERS[0], FILTERS[1], KERNEL, op=F.conv2d if cut else same)
        self.third = dense(FILTERS[1] * height * width, DENSE[0])
        self.fourth = dense(*DENSE)
        self.logits = dense(DENSE[1], len(task.classes))

    def encode(self, embedded: Tensor, batch: Batch, edit: Edit) -> Float[Tensor, "B m"]:
        """The last hidden layer."""
        rules, drop = edit.rules, Drop(edit.noise, self.rate)
        strips = embedded * batch.mask[..., None, None]
        strips = F.pad(strips, (0, 0, 0, 0, 0, self.steps - batch.mask.shape[-1]))
        image = strips.transpose(-3, -2).flatten(-2).unsqueeze(-3)
        maps = pool(self.first.rectified(image, rules, "input"))
        maps = pool(self.second.rectified(maps, rules))
        third = dropped(self.third.rectified(maps.flatten(-3), rules), drop.keep("third"))
        return dropped(self.fourth.rectified(third, rules), drop.keep("fourth"))

    def decide(self, states: Tensor, batch: Batch, edit: Edit) -> Trace:
        """The logits."""
        logits = self.logits(states, edit.rules)
        return Trace(logits, (), states if edit.embedded is None else edit.embedded, states)

    def noise(self, batch: Batch) -> dict[str, tuple[int, ...]]:
        """Dropout on both fully-connected layers."""
        if self.rate == 0.0:
            return {}
        rows = batch.mask.shape[-2]
        return {"third": (rows, DENSE[0]), "fourth": (rows, DENSE[1])}
