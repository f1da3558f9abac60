"""What is explained: rows of the test split, each for a class."""

from pathlib import Path
from typing import NamedTuple, Self

import torch
from jaxtyping import Int
from torch import Tensor

from holdfast.core.files import read_tensors, sha256, write_tensors


class Request(NamedTuple):
    """Rows, and for which class each of them is explained."""

    rows: Int[Tensor, "K"]
    target: Int[Tensor, "K"]

    @classmethod
    def read(cls, path: Path) -> Self:
        """Back from :meth:`write`."""
        tensors = read_tensors(path)
        return cls(tensors["rows"], tensors["target"])

    def write(self, path: Path) -> str:
        """Write it where every process finds it; returns the file's SHA-256."""
        return write_tensors(path, self._asdict())

    @property
    def digest(self) -> str:
        """The SHA-256 of its numbers."""
        return sha256(torch.stack([self.rows, self.target]).long().numpy().tobytes())
