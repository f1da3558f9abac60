"""What is explained: rows of the test split, each for a class."""

from pathlib import Path
from typing import NamedTuple, Self

import torch
from jaxtyping import Int
from torch import Tensor

from holdfast.core.files import read_tensors, sha256, write_tensors


class Request(NamedTuple):
    """Rows, and for which class each of them is explained.

    ``keep`` says that the run holds answers to a larger question, which stay beside those to this one.
    """

    rows: Int[Tensor, "K"]
    target: Int[Tensor, "K"]
    keep: bool = False

    @classmethod
    def read(cls, path: Path) -> Self:
        """Back from :meth:`write`."""
        tensors = read_tensors(path)
        return cls(tensors["rows"], tensors["target"], "keep" in tensors)

    def write(self, path: Path) -> str:
        """Write it where every process finds it; returns the file's SHA-256."""
        return write_tensors(path, self.tensors | ({"keep": torch.ones(1)} if self.keep else {}))

    @property
    def tensors(self) -> dict[str, Tensor]:
        """Rows and classes by name."""
        return {"rows": self.rows, "target": self.target}

    @property
    def entries(self) -> list[tuple[int, int]]:
        """Every row with its class."""
        return list(zip(self.rows.tolist(), self.target.tolist(), strict=True))

    def at(self, places: Int[Tensor, "n"]) -> Self:
        """Some of its entries."""
        return type(self)(self.rows[places], self.target[places], self.keep)

    @property
    def digest(self) -> str:
        """The SHA-256 of its numbers."""
        return sha256(torch.stack([self.rows, self.target]).long().numpy().tobytes())
