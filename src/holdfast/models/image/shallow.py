"""One layer between the pixels and the state."""

from dataclasses import dataclass

from holdfast.data.base import Task
from holdfast.models.image.cells import Rectified
from holdfast.models.image.classifier import CellArchitecture, Recurrent
from holdfast.models.image.fronts import Pixels


@dataclass(frozen=True)
class Shallow(CellArchitecture):
    """Pixels and state meet at once: [x; r] → 256, 256 → r 256, 256 → classes (Chormai Figure 4.3).

    >>> model = Shallow().build(Task(0, tuple("0123456789"), strip=(4, 28, 7)))
    >>> sum(p.numel() for p in model.parameters())
    184330
    """

    def model(self, task: Task, strip: tuple[int, int, int]) -> Recurrent:
        """A freshly initialised model."""
        front = Pixels(*strip[1:])
        return Recurrent(task, front, Rectified(front.width, 256, 256), (), self.dropout, self.stationary)
