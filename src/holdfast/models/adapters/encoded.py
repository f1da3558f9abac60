"""A checkpoint's layers as the first part of a model of ours: pieces in, states and maps out."""

from abc import abstractmethod
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Literal, Self, get_args

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from holdfast.core.errors import BadSetting
from holdfast.core.places import remember
from holdfast.core.records import PLAIN, Batch, Edit, Trace
from holdfast.core.rules import Domain
from holdfast.core.settings import name_of
from holdfast.data.base import Task
from holdfast.models.adapters.checkpoint import digest, locate, read
from holdfast.models.adapters.pieces import Pieces, pieces_of
from holdfast.models.adapters.reader import OWN, Reader, Reading, Row, reader, rows_of
from holdfast.models.base import Architecture, Model
from holdfast.models.layers import dropout

Trains = Literal["head", "last", "all"]


class EncodedArchitecture(Architecture):
    """Settings of models whose words are read by a checkpoint: its folder is ``path``, and ``trains`` says
    how much of it is a member's own, beside what stands on top; a plan has the name of the folder alone, and
    ``sha256``, the checkpoint's."""

    spells: ClassVar[bool] = True

    path: str
    trains: Trains
    dropout: float
    sha256: str

    def __post_init__(self) -> None:
        if self.trains not in get_args(Trains):
            self._refuse("trains", " or ".join(get_args(Trains)))
        if not 0.0 <= self.dropout < 1.0:
            self._refuse("dropout", "at least 0 and below 1")

    def check(self, task: Task) -> None:
        """Single texts, whose words can be spelt."""
        super().check(task)
        mine = name_of(type(self))
        if task.pair:
            raise BadSetting(f"{mine}: expected single texts, but got pairs: choose another model")
        if len(task.words) != task.vocabulary:
            raise BadSetting(
                f"{mine}: expected a task with its {task.vocabulary:,} words, to cut them into pieces, but "
                f"got {len(task.words):,}: give Task(…, words=…)"
            )

    def pinned(self) -> Self:
        """By the name of its folder and the SHA-256 of the checkpoint, after a look at all of it; from now on
        this process knows where that lies."""
        folder = self.folder
        came = digest(folder)
        if self.sha256 not in ("", came):
            read(folder, self.sha256)
        read(folder, came)
        remember(came, folder)
        return replace(self, path=folder.absolute().name, sha256=came)  # type: ignore[type-var]

    @property
    def folder(self) -> Path:
        """Where the checkpoint lies."""
        mine = name_of(type(self))
        if not self.path:
            raise BadSetting(
                f"{mine}: expected path to be the folder of a checkpoint: write {mine}:path=FOLDER"
            )
        return locate(self.path, self.sha256)


class EncodedText(Model):
    """Text in, logits over the classes out; two classes are returned as (0, z).

    The embedded input of a word is the vectors of its pieces, one after the other. What does not train is no
    part of a member. The checkpoint's own maps come first in the trace, with two positions of its own at
    their end; they are read and not edited. ``first`` says that of the states only that of the position
    before the text is used; its subclasses say what stands on top.
    """

    stacks = False
    domain: Domain = "signed"
    first: ClassVar[bool] = False
    head: nn.Module

    def __init__(self, settings: EncodedArchitecture, task: Task) -> None:
        super().__init__()
        self.folder, self.sha256, self.rate = settings.folder, settings.sha256, settings.dropout
        encoder, tokenizer = read(self.folder, self.sha256)
        self.pieces: Pieces = pieces_of(tokenizer, task.words)
        self.used: Reader | None = None
        self.layers: int = encoder.config.num_hidden_layers
        self.unedited, self.width = self.layers, encoder.config.hidden_size
        own = {
            n: p.detach().clone() for n, p in encoder.named_parameters() if _trains(n, settings, self.layers)
        }
        self.encoder = nn.ParameterDict({n.replace(".", "/"): nn.Parameter(p) for n, p in own.items()})

    @abstractmethod
    def gathered(self, readings: list[Reading], mask: Bool[Tensor, "B T"]) -> Tensor:
        """The states of what was read, as :meth:`decide` takes them."""

    @abstractmethod
    def weighed(self, trace: Trace, mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B T2"]:
        """The weight with which the output reads each position, and the two that are the checkpoint's own."""

    def embed(self, batch: Batch) -> Float[Tensor, "B T PD"]:
        """The vectors of each word's pieces; 0 where a word has fewer than others."""
        ids, _ = self.pieces.of(batch.inputs, batch.mask)
        there = self.pieces.exist(batch.inputs, batch.mask)
        return (F.embedding(ids, self._vectors()) * there[..., None]).flatten(2)

    def room(self, batch: Batch) -> Bool[Tensor, "B T PD"]:
        """The numbers of the pieces that a word has."""
        there = self.pieces.exist(batch.inputs, batch.mask)
        return there.repeat_interleave(self._vectors().shape[1], -1)

    def encode(self, embedded: Tensor, batch: Batch, edit: Edit) -> Tensor:
        """The states of the last layer."""
        return self._states(self._fresh(embedded, batch, maps=False), batch, edit)

    def forward(self, batch: Batch, edit: Edit = PLAIN) -> Trace:
        """A whole pass, with the encoder's maps."""
        embedded = self.embedded(batch, edit)
        readings = self._readings(batch, edit, maps=True)
        trace = self.conclude(self._states(readings, batch, edit), batch, edit)
        maps = _placed(readings, batch.mask)
        read = self.weighed(trace, batch.mask)
        return replace(trace, attention=(*maps, *trace.attention), embedded=embedded, read=read)

    def losses(
        self, batch: Batch, edit: Edit = PLAIN, weights: Float[Tensor, "C"] | None = None
    ) -> Float[Tensor, "B"]:
        """The same as of every model, without maps."""
        assert batch.targets is not None
        return F.cross_entropy(self._logits(batch, edit), batch.targets, weights, reduction="none")

    def rank(self, batch: Batch) -> Float[Tensor, "B C"]:
        """The logits, without maps."""
        return self._logits(batch, PLAIN)

    def subsets(self, batch: Batch, kept: Bool[Tensor, "S T"], stays: bool = False) -> Float[Tensor, "S C"]:
        """Holes, without maps; with ``stays`` only what can be edited is without them."""
        if stays:
            return super().subsets(batch, kept, stays)
        many = batch.map(lambda tensor: tensor.expand(len(kept), *tensor.shape[1:]))
        return self.rank(replace(many, mask=many.mask & kept))

    def evidence(self, logits: Float[Tensor, "B C"]) -> Float[Tensor, "B C"]:
        """Of two classes, each has what speaks against the other."""
        if logits.shape[-1] > 2:
            return logits
        z = logits[..., 1] - logits[..., 0]
        return torch.stack([-z, z], -1)

    def _logits(self, batch: Batch, edit: Edit) -> Float[Tensor, "B C"]:
        states = self._states(self._readings(batch, edit, maps=False), batch, edit)
        return self.conclude(states, batch, edit).logits

    def _states(self, readings: list[Reading], batch: Batch, edit: Edit) -> Tensor:
        return dropout(self.gathered(readings, batch.mask), edit.noise, "states", self.rate)

    def _readings(self, batch: Batch, edit: Edit, maps: bool) -> list[Reading]:
        """One reading for each example; frozen layers remember those without holes."""
        if edit.embedded is not None or batch.shift is not None or len(self.encoder):
            return self._fresh(self.embedded(batch, edit), batch, maps)
        reader, keys = self._reader(), self._keys(batch)
        found = [None if key is None else reader.recall(key, maps) for key in keys]
        missing = [b for b, one in enumerate(found) if one is None]
        if missing:
            some = batch.take(torch.tensor(missing, device=batch.mask.device))
            with torch.no_grad():
                fresh = self._fresh(self.embed(some), some, maps)
            for b, one in zip(missing, fresh, strict=True):
                found[b] = one
                if (key := keys[b]) is not None:
                    reader.keep(key, one)
        return [one for one in found if one is not None]

    def _keys(self, batch: Batch) -> list[bytes | None]:
        """What tells an example apart: its pieces, word by word; None where it has holes.
        What a GPU read in TF32 for training is not what it reads for explaining."""
        ids, counts = (tensor.cpu().numpy() for tensor in self.pieces.of(batch.inputs, batch.mask))
        lengths, exact = batch.mask.sum(1), torch.get_float32_matmul_precision().encode()
        whole = lengths == batch.mask.cumprod(1).sum(1)
        return [
            exact + ids[b, :n].tobytes() + counts[b, :n].tobytes() if alike else None
            for b, (n, alike) in enumerate(zip(lengths.tolist(), whole.tolist(), strict=True))
        ]

    def _fresh(self, embedded: Tensor, batch: Batch, maps: bool) -> list[Reading]:
        """On a CPU example by example, so that neighbours and padding change no bit; on a GPU together."""
        reader, counts = self._reader(), self.pieces.of(batch.inputs, batch.mask)[1]
        around = self._vectors()[[self.pieces.first, self.pieces.last]]
        each = torch.unflatten(embedded, 2, (self.pieces.most, -1))
        rows = rows_of(each, counts, batch.mask, around)
        weights = {name.replace("/", "."): tensor for name, tensor in self.encoder.items()}
        groups: list[list[Row]] = [rows] if embedded.is_cuda else [[row] for row in rows]
        return [one for group in groups for one in reader.read(group, weights, maps)]

    def _reader(self) -> Reader:
        like = next(self.head.parameters())
        if self.used is None or (self.used.dtype, self.used.device) != (like.dtype, like.device):
            self.used = reader(self.folder, self.sha256, like, self.first)
        return self.used

    def _vectors(self) -> Tensor:
        """The pieces' vectors: the member's own where they train."""
        own = [tensor for name, tensor in self.encoder.items() if name.endswith("word_embeddings/weight")]
        return own[0] if own else self._reader().vectors


def _placed(readings: list[Reading], mask: Bool[Tensor, "B T"]) -> tuple[Float[Tensor, "B H T2 T2"], ...]:
    """Maps at their places in the batch; the checkpoint's own positions come last."""
    length, maps = mask.shape[1], []
    for reading, here in zip(readings, mask, strict=True):
        assert reading.maps is not None
        at = here.nonzero()[:, 0]
        at = torch.cat([at, torch.arange(length, length + OWN, device=at.device)])
        square = reading.maps.new_zeros(*reading.maps.shape[:2], length + OWN, length + OWN)
        square[:, :, at[:, None], at] = reading.maps
        maps.append(square)
    return tuple(torch.stack(maps).unbind(1))


def _trains(name: str, settings: EncodedArchitecture, layers: int) -> bool:
    """Whether this tensor of the encoder is the member's own; what only serves other tasks never is."""
    last = f"layer.{layers - 1}." in name
    return "pooler" not in name and (settings.trains == "all" or (settings.trains == "last" and last))
