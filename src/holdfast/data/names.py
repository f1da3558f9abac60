"""Many short texts as one tensor of bytes: names of users and items, titles, genres."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import torch
from jaxtyping import Int, UInt8
from numpy.typing import NDArray
from torch import Tensor

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Names:
    """Texts end to end: text ``i`` is ``data[offsets[i] : offsets[i + 1]]``, in UTF-8.

    >>> names = Names.of(["a, b", "", "naïve"])
    >>> len(names), names[0], names[2], names.number("naïve"), names.number("c")
    (3, 'a, b', 'naïve', 2, None)
    """

    data: UInt8[Tensor, "B"]
    offsets: Int[Tensor, "N1"]

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Names":
        """Pack texts."""
        packed = [text.encode() for text in texts]
        offsets = torch.tensor([0, *map(len, packed)]).cumsum(0)
        return cls(torch.from_numpy(np.array(bytearray(b"".join(packed)), dtype=np.uint8)), offsets)

    @classmethod
    def of_arrow(cls, texts: "pa.Array") -> "Names":
        """Take over an Arrow array of strings, without a Python object for each."""
        import pyarrow as pa

        whole = pa.concat_arrays([texts.cast(pa.large_string())])
        _, offsets, data = whole.buffers()
        start, count = whole.offset, len(whole)
        places = (
            np.frombuffer(offsets, np.int64)[start : start + count + 1] if count else np.zeros(1, np.int64)
        )
        size = slice(int(places[0]), int(places[-1]))
        held = np.frombuffer(data, np.uint8)[size] if data is not None else np.zeros(0, np.uint8)
        return cls(torch.from_numpy(held.copy()), torch.from_numpy(places - places[0]))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, number: int) -> str:
        low, high = int(self.offsets[number]), int(self.offsets[number + 1])
        return self.data[low:high].numpy().tobytes().decode()

    def __iter__(self) -> Iterator[str]:
        return (self[number] for number in range(len(self)))

    def number(self, name: str) -> int | None:
        """The place of a text; None where it is not among them."""
        return self._numbers.get(name)

    def take(self, places: Int[Tensor, "M"]) -> "Names":
        """The texts at these places, in this order."""
        lengths = self.offsets.diff()[places]
        offsets = torch.cat([lengths.new_zeros(1), lengths.cumsum(0)])
        shift = (self.offsets[places] - offsets[:-1]).repeat_interleave(lengths)
        return Names(self.data[shift + torch.arange(len(shift))], offsets)

    def joined(self, others: "Names") -> "tuple[Names, NDArray[np.int32]]":
        """These texts, after them those of the others that are new, and the place of each of the others.

        >>> names, places = Names.of("ab").joined(Names.of("cb"))
        >>> list(names), places.tolist()
        (['a', 'b', 'c'], [2, 1])
        """
        places = dict(self._numbers)
        own = [places.setdefault(name, len(places)) for name in others]
        return Names.of(places), np.array(own, np.int32)

    def tensors(self, prefix: str) -> dict[str, Tensor]:
        """What :meth:`read` needs, to be saved."""
        return {f"{prefix}.data": self.data, f"{prefix}.offsets": self.offsets}

    @classmethod
    def read(cls, tensors: Mapping[str, Tensor], prefix: str) -> "Names":
        """The inverse of :meth:`tensors`."""
        return cls(tensors[f"{prefix}.data"], tensors[f"{prefix}.offsets"])

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self)}


def padded(names: Names, known: Mapping[str, str]) -> Names:
    """For each name what is known of it, or nothing.

    >>> list(padded(Names.of(["1", "2"]), {"2": "Two"}))
    ['', 'Two']
    """
    return Names.of(known.get(name, "") for name in names)
