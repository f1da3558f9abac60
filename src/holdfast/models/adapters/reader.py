"""Running a checkpoint's layers over words: pieces in, one state for each word out, and attention maps."""

from collections import OrderedDict
from copy import deepcopy
from functools import lru_cache
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.func import functional_call

from holdfast.core.errors import BadData, BadSetting
from holdfast.models.adapters.checkpoint import Stamp, read, stamp

OWN = 2  # positions that the encoder adds: one before the text and one after it, which come last in maps
HELD = 2**30  # bytes of what is kept of examples that were read already


class Row(NamedTuple):
    """One example for the encoder: the pieces of its ``n`` words, between those that stand around a text.

    ``word`` says whose piece each is (``n`` and ``n + 1``: the two of its own), ``place`` where it stands.
    """

    pieces: Float[Tensor, "L D"]
    word: Int[Tensor, "L"]
    place: Int[Tensor, "L"]
    words: int


class Reading(NamedTuple):
    """The states of an example's words, or of the position before them alone, and the maps of all layers,
    first layer first."""

    states: Float[Tensor, "n m"]
    maps: Float[Tensor, "N H n2 n2"] | None


class Reader:
    """An encoder on one device and in one precision, and what it read already: the states of words, or that
    of the ``first`` position alone.

    Frozen layers read an example that has no holes once, whoever asks: all members have the same.
    """

    def __init__(self, encoder: Any, first: bool = False) -> None:
        self.encoder, self.first = encoder, first
        config = encoder.config  # RoBERTa counts its places from the one after that of padding
        self.start = config.pad_token_id + 1 if config.model_type == "roberta" else 0
        self.names = frozenset(signature(encoder.forward).parameters)
        self.held: OrderedDict[bytes, Reading] = OrderedDict()
        self.size = 0

    @property
    def dtype(self) -> torch.dtype:
        """Its precision."""
        return self.vectors.dtype

    @property
    def device(self) -> torch.device:
        """Where it lies."""
        return self.vectors.device

    @property
    def vectors(self) -> Float[Tensor, "V D"]:
        """The vectors of the pieces."""
        return self.encoder.get_input_embeddings().weight  # type: ignore[no-any-return]

    def recall(self, key: bytes, maps: bool) -> Reading | None:
        """What is kept of an example, if it has all that is wanted."""
        kept = self.held.get(key)
        if kept is None or (maps and kept.maps is None):
            return None
        self.held.move_to_end(key)
        return kept

    def keep(self, key: bytes, reading: Reading) -> None:
        """Keep what was read; what was not asked for the longest goes first."""
        if (before := self.held.pop(key, None)) is not None:
            self.size -= _bytes(before)
        self.held[key], self.size = reading, self.size + _bytes(reading)
        while self.size > HELD:
            self.size -= _bytes(self.held.popitem(last=False)[1])

    def read(self, rows: list[Row], weights: dict[str, Tensor], maps: bool) -> list[Reading]:
        """Read examples together, with ``weights`` in place of the encoder's own where they are named."""
        lengths = [len(row.place) for row in rows]
        longest, limit = max(lengths), self.encoder.config.max_position_embeddings - self.start
        reach = 1 + max(int(row.place.max()) for row in rows)
        if reach > limit:
            raise BadData(
                f"expected texts of at most {limit} word pieces, as the checkpoint reads, but got one "
                f"of {reach}: shorten them with --max-length"
            )
        pieces = torch.stack(
            [F.pad(row.pieces, (0, 0, 0, longest - n)) for row, n in zip(rows, lengths, strict=True)]
        )
        places = torch.stack(
            [F.pad(row.place, (0, longest - n)) for row, n in zip(rows, lengths, strict=True)]
        )
        there = (
            torch.arange(longest, device=places.device) < torch.tensor(lengths, device=places.device)[:, None]
        )
        given = {"inputs_embeds": pieces, "attention_mask": there.long(), "position_ids": places + self.start}
        if "token_type_ids" in self.names:
            given["token_type_ids"] = torch.zeros_like(places)
        out = functional_call(self.encoder, weights, (), given | {"output_attentions": True})
        self._check(out.attentions)
        return [
            self._merged(row, n, b, out, maps) for b, (row, n) in enumerate(zip(rows, lengths, strict=True))
        ]

    def _check(self, attentions: tuple[Tensor, ...] | None) -> None:
        layers, came = self.encoder.config.num_hidden_layers, len(attentions or ())
        if came != layers or any(one is None for one in attentions or ()):
            raise BadSetting(
                f"expected the attention of {layers} layers from transformers, but got that of {came}: "
                "use a version that supports attn_implementation='eager'"
            )

    def _merged(self, row: Row, length: int, b: int, out: Any, maps: bool) -> Reading:
        """A word's state is the mean of its pieces'. Attention of a word is the mean over its own pieces, and
        what it pays to a word is the sum over that word's: rows still sum to 1."""
        hidden = out.last_hidden_state[b, :length]
        whose = F.one_hot(row.word, row.words + OWN).mT.to(hidden.dtype)
        mean = whose / whose.sum(1, keepdim=True)
        states = hidden[:1] if self.first else mean[: row.words] @ hidden
        if not maps:
            return Reading(states, None)
        each = torch.stack([one[b, :, :length, :length] for one in out.attentions])
        return Reading(states, mean @ each @ whose.mT)


def reader(folder: Path, expected: str, like: Tensor, first: bool = False) -> Reader:
    """The reader of a checkpoint where ``like`` lies, in its precision."""
    return _reader(folder, stamp(folder), expected, like.dtype, like.device, first)


@lru_cache(maxsize=4)
def _reader(
    folder: Path, at: Stamp, expected: str, dtype: torch.dtype, device: torch.device, first: bool
) -> Reader:
    encoder = read(folder, expected).encoder
    if (dtype, device.type) != (torch.float32, "cpu"):
        encoder = deepcopy(encoder).to(device, dtype)
    return Reader(encoder, first)


def rows_of(
    pieces: Float[Tensor, "B T P D"],
    counts: Int[Tensor, "B T"],
    mask: Bool[Tensor, "B T"],
    around: Float[Tensor, "2 D"],
) -> list[Row]:
    """The examples of a batch. A hole takes one place, whatever word was there: nothing moves up, and nothing
    of that word is seen."""
    wide = torch.where(mask, counts, 1)
    start = 1 + wide.cumsum(1) - wide
    inner = torch.arange(pieces.shape[2], device=mask.device)
    return [_row(*one, around, inner) for one in zip(pieces, counts, mask, start, strict=True)]


def spread(
    readings: list[Reading], mask: Bool[Tensor, "B T"]
) -> tuple[Float[Tensor, "B T m"], tuple[Tensor, ...]]:
    """States and maps at their places in the batch; the encoder's own positions come last."""
    length = mask.shape[1]
    states, maps = [], []
    for reading, here in zip(readings, mask, strict=True):
        states.append(reading.states)
        if reading.maps is not None:
            at = here.nonzero()[:, 0]
            at = torch.cat([at, torch.arange(length, length + OWN, device=at.device)])
            square = reading.maps.new_zeros(*reading.maps.shape[:2], length + OWN, length + OWN)
            square[:, :, at[:, None], at] = reading.maps
            maps.append(square)
    flat = torch.cat(states)
    wide = flat.new_zeros(*mask.shape, flat.shape[1]).masked_scatter(mask[..., None], flat)
    return wide, tuple(torch.stack(maps).unbind(1)) if maps else ()


def _row(pieces: Tensor, counts: Tensor, mask: Tensor, start: Tensor, around: Tensor, inner: Tensor) -> Row:
    exists = inner < counts[:, None]
    words = int(mask.sum())
    number = (mask.cumsum(0) - 1)[:, None].expand_as(exists)[exists]
    place = (start[:, None] + inner)[exists]
    end = place[-1:] + 1 if len(place) else torch.ones_like(start[:1])
    own = torch.tensor([words, words + 1], device=mask.device)
    return Row(
        torch.cat([around[:1], pieces[exists], around[1:]]),
        torch.cat([own[:1], number, own[1:]]),
        torch.cat([torch.zeros_like(end), place, end]),
        words,
    )


def _bytes(reading: Reading) -> int:
    return sum(part.numel() * part.element_size() for part in reading if part is not None)
