"""Texts of different lengths as one flat tensor."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import torch
from jaxtyping import Bool, Int, Shaped
from torch import Tensor

from holdfast.data.saved import pack, unpack
from holdfast.data.text.vocabulary import UNKNOWN, Vocabulary


@dataclass(frozen=True, eq=False)
class Sequences:
    """Texts end to end: text ``i`` is ``ids[offsets[i] : offsets[i + 1]]``.

    ``unknown`` are the words behind every unknown number, in order, so that a heat map can show them.

    >>> texts = Sequences(torch.tensor([5, 6, 7], dtype=torch.int32), torch.tensor([0, 1, 3]))
    >>> texts.pad(torch.tensor([0, 1]))
    (tensor([[5, 0],
            [6, 7]]), tensor([[ True, False],
            [ True,  True]]))
    """

    ids: Int[Tensor, "L"]
    offsets: Int[Tensor, "N1"]
    unknown: tuple[str, ...] = ()

    @cached_property
    def lengths(self) -> Int[Tensor, "N"]:
        """How many tokens each text has."""
        return self.offsets.diff()

    def pad(
        self, rows: Int[Tensor, "*R"], length: int | None = None
    ) -> tuple[Int[Tensor, "*R T"], Bool[Tensor, "*R T"]]:
        """The texts ``rows``, filled with 0 on the right, and where they are."""
        return self.spread(self.ids, rows, length).long(), self._inside(rows, length)

    def spread(
        self, values: Shaped[Tensor, "L"], rows: Int[Tensor, "*R"], length: int | None = None
    ) -> Shaped[Tensor, "*R T"]:
        """Any value per token, laid out as :meth:`pad` lays out the numbers."""
        inside = self._inside(rows, length)
        place = self.offsets[rows].unsqueeze(-1) + torch.arange(inside.shape[-1])
        return torch.where(
            inside, values[place.clamp(max=len(values) - 1)], torch.zeros((), dtype=values.dtype)
        )

    def words(self, row: int, vocabulary: Vocabulary) -> list[str]:
        """The tokens of one text as they were written, unknown ones too."""
        low, high = int(self.offsets[row]), int(self.offsets[row + 1])
        skipped = int((self.ids[:low] == UNKNOWN).sum())
        originals = iter(self.unknown[skipped:])
        return [next(originals) if i == UNKNOWN else vocabulary.words[i] for i in self.ids[low:high].tolist()]

    def tensors(self, prefix: str) -> dict[str, Tensor]:
        """What :meth:`of` needs, to be saved."""
        packed = pack("\n".join(self.unknown))
        return {f"{prefix}.ids": self.ids, f"{prefix}.offsets": self.offsets, f"{prefix}.unknown": packed}

    @classmethod
    def of(cls, tensors: Mapping[str, Tensor], prefix: str) -> "Sequences":
        """The inverse of :meth:`tensors`."""
        unknown = unpack(tensors[f"{prefix}.unknown"])
        words = tuple(unknown.split("\n")) if unknown else ()
        return cls(tensors[f"{prefix}.ids"], tensors[f"{prefix}.offsets"], words)

    def _inside(self, rows: Int[Tensor, "*R"], length: int | None) -> Bool[Tensor, "*R T"]:
        lengths = self.lengths[rows]
        longest = int(lengths.max()) if lengths.numel() else 0
        if length is not None and length < longest:
            raise ValueError(f"expected a length of at least {longest}, but got {length}")
        return torch.arange(longest if length is None else length) < lengths.unsqueeze(-1)
