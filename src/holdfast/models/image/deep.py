"""Layers before the state, and one behind it."""

from dataclasses import dataclass

from holdfast.data.base import Task
from holdfast.models.image.cells import Rectified
from holdfast.models.image.classifier import CellArchitecture, Recurrent
from holdfast.models.image.fronts import Dense


@dataclass(frozen=True)
class Deep(CellArchitecture):
    """x → 256, [·; r] → 128, 128 → r 256, 128 → 32 → classes (Chormai Figure 4.3).

    >>> model = Deep().build(Task(0, tuple("0123456789"), strip=(4, 28, 7)))
    >>> sum(p.numel() for p in model.parameters())
    153578
    """

    def model(self, task: Task, strip: tuple[int, int, int]) -> Recurrent:
        """A freshly initialised model."""
        front = Dense(strip[1] * strip[2], (256,))
        return Recurrent(task, front, Rectified(256, 128, 256), (32,), self.dropout, self.stationary)


@dataclass(frozen=True)
class DeepV2(CellArchitecture):
    """As ``deep``, with one layer more before the state: x → 128 → 256 (Chormai Figure 4.9).

    >>> model = DeepV2().build(Task(0, tuple("0123456789"), strip=(12, 28, 7)))
    >>> sum(p.numel() for p in model.parameters())
    161386
    """

    def model(self, task: Task, strip: tuple[int, int, int]) -> Recurrent:
        """A freshly initialised model."""
        front = Dense(strip[1] * strip[2], (128, 256))
        return Recurrent(task, front, Rectified(256, 128, 256), (32,), self.dropout, self.stationary)
