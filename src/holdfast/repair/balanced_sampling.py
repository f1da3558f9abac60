"""Training rows drawn so that all classes come equally often, however rare."""

from dataclasses import dataclass
from typing import ClassVar

from holdfast.core.errors import BadSetting
from holdfast.data.base import Task
from holdfast.train.repair import Repair, Tensors


@dataclass(frozen=True)
class BalancedSampling(Repair):
    """Draw the rows of each epoch with replacement, each class equally often, instead of weighing the loss
    (Jain §6.2.1).

    A row of class c is drawn with probability ``1 / (C · N_c)``, C counting the classes that have rows; an
    epoch has as many rows as before. Models of pairs train on one negative for each item that was taken, so
    that both classes of pairs come equally often.

    >>> BalancedSampling().chances(Task(0, ("no", "yes"), counts=(40, 10)))
    (0.0125, 0.05)
    """

    balances: ClassVar[bool] = True

    def begin(self, parameters: Tensors, task: Task) -> Tensors:
        """Nothing to remember; data that it cannot balance are refused."""
        if not task.counts:
            none = "expected classes with known counts, but these data have none: leave it out"
            raise BadSetting(f"balanced_sampling: {none}")
        if not task.classes and len(task.counts) > 2:
            raise BadSetting(
                "balanced_sampling: expected pairs of two classes, taken or not, but head=three has three: "
                "choose class_balanced, or head=two"
            )
        return {}

    def chances(self, task: Task) -> tuple[float, ...]:
        """The same for each class; rows of pairs have no class, and are all taken."""
        if not task.classes:
            return ()
        present = sum(count > 0 for count in task.counts)
        return tuple(1 / (present * count) if count else 0.0 for count in task.counts)

    def negatives(self, count: int) -> int:
        """One, where the model wants any."""
        return min(count, 1)
