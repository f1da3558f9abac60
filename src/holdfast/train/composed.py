"""Several repairs at once, written ``a+b``."""

import math
from dataclasses import dataclass

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.core.settings import label
from holdfast.data.base import Dataset, Split, Task
from holdfast.models.base import Architecture, Model
from holdfast.models.run import Run
from holdfast.train.repair import Nothing, Repair, Teacher, Tensors
from holdfast.train.teacher import of_teacher


@dataclass(frozen=True)
class Composed(Repair):
    """The losses of the one that changes them, the averaging of the one that averages, and what else each
    does, in the order written; each has a memory of its own. Two that both change the losses, both average,
    both balance the classes, or need two different members first are refused: it would not be clear what they
    mean together.
    """

    parts: tuple[Repair, ...]

    def __post_init__(self) -> None:
        if any(isinstance(part, Nothing) for part in self.parts):
            raise BadSetting(f"{label(self)}: expected repairs that do something, but got none: leave it out")
        self._one_at_most("changes the losses", [part for part in self.parts if part.changes_losses])
        self._one_at_most("averages", [part for part in self.parts if part.averages])
        self._one_at_most("balances the classes", [part for part in self.parts if part.balances])
        if len({part.needs for part in self.parts if part.needs is not None}) > 1:
            self._one_at_most("needs another", [part for part in self.parts if part.needs is not None])

    @property
    def stops(self) -> bool:  # type: ignore[override]
        """Only if all of them let training stop early."""
        return all(part.stops for part in self.parts)

    @property
    def averages(self) -> bool:  # type: ignore[override]
        """If one of them does."""
        return any(part.averages for part in self.parts)

    @property
    def freezes_attention(self) -> bool:  # type: ignore[override]
        """If one of them does."""
        return any(part.freezes_attention for part in self.parts)

    @property
    def attention_alone(self) -> bool:  # type: ignore[override]
        """If one of them does."""
        return any(part.attention_alone for part in self.parts)

    @property
    def balances(self) -> bool:  # type: ignore[override]
        """If one of them does."""
        return any(part.balances for part in self.parts)

    @property
    def needs(self) -> str | None:  # type: ignore[override]
        """What one of them needs."""
        return next((part.needs for part in self.parts if part.needs is not None), None)

    @property
    def changes_losses(self) -> bool:
        """If one of them does."""
        return any(part.changes_losses for part in self.parts)

    def trains(self, name: str) -> bool:
        """Only if all of them train it."""
        return all(part.trains(name) for part in self.parts)

    def teachers(self, model: Architecture) -> dict[str, Teacher]:
        """Those of all of them; one name is one teacher."""
        teachers: dict[str, Teacher] = {}
        for name, teacher in (pair for part in self.parts for pair in part.teachers(model).items()):
            if teachers.setdefault(name, teacher) != teacher:
                raise BadSetting(f"{label(self)}: expected one teacher called {name!r}, but got two")
        return teachers

    def suits(self, model: Model, dataset: Dataset) -> None:
        """Whatever one of them refuses."""
        for part in self.parts:
            part.suits(model, dataset)

    def first(self, parameters: Tensors, model: Model) -> Tensors:
        """One after the other."""
        for part in self.parts:
            parameters = part.first(parameters, model)
        return parameters

    def chances(self, task: Task) -> tuple[float, ...]:
        """All of them multiplied, class by class."""
        each = [chances for part in self.parts if (chances := part.chances(task))]
        return tuple(map(math.prod, zip(*each, strict=True)))

    def negatives(self, count: int) -> int:
        """One after the other."""
        for part in self.parts:
            count = part.negatives(count)
        return count

    def draws(self, batch: Batch) -> dict[str, tuple[int, ...]]:
        """The draws that the losses need."""
        return self.parts[self._losing].draws(batch)

    def losses(self, run: Run, batch: Batch, noise: Tensors, memory: Tensors) -> Float[Tensor, "B"]:
        """The losses of the one that changes them."""
        own = _of(memory, self._losing) | of_teacher(memory)
        return self.parts[self._losing].losses(run, batch, noise, own)

    def begin(self, parameters: Tensors, task: Task) -> Tensors:
        """The memory of each, under its number."""
        return _together([part.begin(parameters, task) for part in self.parts])

    def step(self, parameters: Tensors, memory: Tensors, t: Int[Tensor, ""]) -> tuple[Tensors, Tensors]:
        """One after the other: an average written second is of what the first made of the weights."""
        memories = []
        for n, part in enumerate(self.parts):
            parameters, after = part.step(parameters, _of(memory, n), t)
            memories.append(after)
        return parameters, _together(memories)

    def turn(self, parameters: Tensors, memory: Tensors, epoch: int, epochs: int) -> tuple[Tensors, Tensors]:
        """One after the other."""
        memories = []
        for n, part in enumerate(self.parts):
            parameters, after = part.turn(parameters, _of(memory, n), epoch, epochs)
            memories.append(after)
        return parameters, _together(memories)

    def outcome(self, parameters: Tensors, memory: Tensors, epoch: int, epochs: int) -> Tensors:
        """One after the other."""
        for n, part in enumerate(self.parts):
            parameters = part.outcome(parameters, _of(memory, n), epoch, epochs)
        return parameters

    def rate(self, epoch: int, epochs: int) -> float:
        """All factors multiplied."""
        return math.prod(part.rate(epoch, epochs) for part in self.parts)

    def finish(self, run: Run, validation: Split) -> Tensors:
        """One after the other."""
        for part in self.parts:
            run = Run(run.model, part.finish(run, validation))
        return run.parameters

    @property
    def _losing(self) -> int:
        """Which of them has the losses; the first where none changes them."""
        return next((n for n, part in enumerate(self.parts) if part.changes_losses), 0)

    def _one_at_most(self, does: str, parts: list[Repair]) -> None:
        if len(parts) > 1:
            names = " and ".join(map(label, parts))
            raise BadSetting(f"{label(self)}: expected one repair at most that {does}, but got {names}")


def _of(memory: Tensors, number: int) -> Tensors:
    """One part's own memory."""
    start = f"{number}/"
    return {name.removeprefix(start): tensor for name, tensor in memory.items() if name.startswith(start)}


def _together(memories: list[Tensors]) -> Tensors:
    return {f"{n}/{name}": tensor for n, own in enumerate(memories) for name, tensor in own.items()}
