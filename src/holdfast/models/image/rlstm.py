"""The rectified long short-term memory, behind dense layers or convolutions."""

from dataclasses import dataclass
from typing import ClassVar

from holdfast.data.base import Task
from holdfast.models.image.cells import Memory
from holdfast.models.image.classifier import CellArchitecture, ImageArchitecture, Recurrent
from holdfast.models.image.fronts import Convolved, Dense


@dataclass(frozen=True)
class Rlstm(CellArchitecture):
    """x → 256, an R-LSTM of 72, → classes (Chormai §4.4.2).

    >>> model = Rlstm().build(Task(0, tuple("0123456789"), strip=(12, 28, 7)))
    >>> sum(p.numel() for p in model.parameters())
    145914
    """

    def model(self, task: Task, strip: tuple[int, int, int]) -> Recurrent:
        """A freshly initialised model."""
        front = Dense(strip[1] * strip[2], (256,))
        return Recurrent(task, front, Memory(256, 72, rectified=True), (), self.dropout, self.stationary)


@dataclass(frozen=True)
class Convrlstm(ImageArchitecture):
    """The convolutions of ``convdeep``, an R-LSTM of 96, → classes (Chormai §4.4).

    >>> model = Convrlstm().build(Task(0, tuple("0123456789"), strip=(12, 28, 7)))
    >>> sum(p.numel() for p in model.parameters())
    152410
    """

    def model(self, task: Task, strip: tuple[int, int, int]) -> Recurrent:
        """A freshly initialised model."""
        front = Convolved(*strip[1:], outputs=128, literal=False)
        return Recurrent(task, front, Memory(128, 96, rectified=True), (), self.dropout, self.stationary)


@dataclass(frozen=True)
class ConvPlusRlstm(ImageArchitecture):
    """As ``convrlstm``, and each convolution sees its own output of the step before (Chormai §4.4.3).

    >>> model = ConvPlusRlstm().build(Task(0, tuple("0123456789"), strip=(12, 28, 7)))
    >>> sum(p.numel() for p in model.parameters())
    176026
    """

    name: ClassVar[str] = "conv+rlstm"

    def model(self, task: Task, strip: tuple[int, int, int]) -> Recurrent:
        """A freshly initialised model."""
        front = Convolved(*strip[1:], outputs=128, literal=True)
        return Recurrent(task, front, Memory(128, 96, rectified=True), (), self.dropout, self.stationary)
