"""The plain long short-term memory, for comparison."""

from dataclasses import dataclass

from holdfast.data.base import Task
from holdfast.models.image.cells import Memory
from holdfast.models.image.classifier import CellArchitecture, Recurrent
from holdfast.models.image.fronts import Dense


@dataclass(frozen=True)
class Lstm(CellArchitecture):
    """x → 256, an LSTM of 72 with tanh and ordinary biases, → classes (Hochreiter & Schmidhuber 1997).

    The sizes are those of ``rlstm``, so that only the cell differs.

    >>> model = Lstm().build(Task(0, tuple("0123456789"), strip=(12, 28, 7)))
    >>> sum(p.numel() for p in model.parameters())
    145914
    """

    def model(self, task: Task, strip: tuple[int, int, int]) -> Recurrent:
        """A freshly initialised model."""
        front = Dense(strip[1] * strip[2], (256,))
        return Recurrent(task, front, Memory(256, 72, rectified=False), (), self.dropout, self.stationary)
