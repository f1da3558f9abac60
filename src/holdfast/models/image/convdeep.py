"""Convolutions before the state."""

from dataclasses import dataclass
from typing import ClassVar

from holdfast.data.base import Task
from holdfast.models.image.cells import Rectified
from holdfast.models.image.classifier import ImageArchitecture, Recurrent
from holdfast.models.image.fronts import Convolved


@dataclass(frozen=True)
class Convdeep(ImageArchitecture):
    """Two convolutions with pooling → 128, then as ``deep`` (Chormai Figure 4.9).

    >>> model = Convdeep().build(Task(0, tuple("0123456789"), strip=(12, 28, 7)))
    >>> sum(p.numel() for p in model.parameters())
    151802
    """

    def model(self, task: Task, strip: tuple[int, int, int]) -> Recurrent:
        """A freshly initialised model."""
        front = Convolved(*strip[1:], outputs=128, literal=False)
        return Recurrent(task, front, Rectified(128, 128, 256), (32,), self.dropout, self.stationary)


@dataclass(frozen=True)
class ConvPlusDeep(ImageArchitecture):
    """As ``convdeep``, and each convolution sees its own output of the step before (Chormai Figure 4.15).

    >>> model = ConvPlusDeep().build(Task(0, tuple("0123456789"), strip=(12, 28, 7)))
    >>> sum(p.numel() for p in model.parameters())
    175418
    """

    name: ClassVar[str] = "conv+deep"

    def model(self, task: Task, strip: tuple[int, int, int]) -> Recurrent:
        """A freshly initialised model."""
        front = Convolved(*strip[1:], outputs=128, literal=True)
        return Recurrent(task, front, Rectified(128, 128, 256), (32,), self.dropout, self.stationary)
