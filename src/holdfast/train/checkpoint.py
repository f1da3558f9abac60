"""Where stacked members were after an epoch, so that a killed run goes on from there."""

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from holdfast.core.errors import BadRun
from holdfast.core.files import read_tensors, write_tensors
from holdfast.core.sealed import read_sealed, write_sealed
from holdfast.train.repair import Tensors

SECONDS = 20.0


@dataclass
class Checkpoint:
    """A file that is written after an epoch, at most every ``seconds``: an epoch can be short, and all copies
    of the weights are large."""

    path: Path
    seconds: float = SECONDS
    written: float = field(default_factory=time.monotonic)

    @property
    def due(self) -> bool:
        """Whether it is time to write again."""
        return time.monotonic() - self.written >= self.seconds

    def save(self, tensors: Tensors, about: dict[str, Any]) -> None:
        """Write the tensors, then the note that makes them count."""
        digest = write_tensors(self.path, tensors)
        write_sealed(self.path.with_suffix(".json"), about | {"sha256": digest})
        self.written = time.monotonic()

    def load(self) -> tuple[Tensors, dict[str, Any]] | None:
        """What was saved, or None where nothing intact is there."""
        try:
            about = read_sealed(self.path.with_suffix(".json"))
            return read_tensors(self.path, about["sha256"]), about
        except BadRun:
            return None

    def drop(self) -> None:
        """Remove it: the members are finished."""
        for path in (self.path.with_suffix(".json"), self.path):
            path.unlink(missing_ok=True)
