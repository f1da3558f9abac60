"""A BERT-family checkpoint under attention pooling (Devlin et al. 2019; SEAT)."""

from dataclasses import dataclass, replace
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
from holdfast.data.base import Task
from holdfast.models.adapters.checkpoint import digest, locate, read
from holdfast.models.adapters.pieces import Pieces, pieces_of
from holdfast.models.adapters.reader import Reader, Reading, Row, reader, rows_of, spread
from holdfast.models.base import Architecture, Model
from holdfast.models.layers import Attention, Pool, dropout

Trains = Literal["head", "last", "all"]


@dataclass(frozen=True)
class Bert(Architecture):
    """A trained encoder (bert, distilbert, electra) whose words are pooled by attention (Devlin et al. 2019).

    ``path`` is its folder. A word's state is the mean of its pieces' states. ``trains`` says what is
    fine-tuned beside the pooling and the head: nothing, the last layer, or all of it; frozen layers read each
    text once for all members. ``dropout`` acts on the states. A plan has the name of the folder alone, and
    ``sha256``, the checkpoint's own.

    >>> Bert("checkpoints/minilm", trains="last").trains
    'last'
    """

    spells: ClassVar[bool] = True

    path: str = ""
    trains: Trains = "head"
    attention: Attention = "additive"
    dropout: float = 0.0
    sha256: str = ""

    def __post_init__(self) -> None:
        for field, known in (("trains", Trains), ("attention", Attention)):
            if getattr(self, field) not in get_args(known):
                self._refuse(field, " or ".join(get_args(known)))
        if not 0.0 <= self.dropout < 1.0:
            self._refuse("dropout", "at least 0 and below 1")

    def check(self, task: Task) -> None:
        """Single texts, whose words can be spelt."""
        super().check(task)
        if task.pair:
            raise BadSetting("bert: expected single texts, but got pairs: choose another model")
        if len(task.words) != task.vocabulary:
            raise BadSetting(
                f"bert: expected a task with its {task.vocabulary:,} words, to cut them into pieces, but got "
                f"{len(task.words):,}: give Task(…, words=…)"
            )

    def pinned(self) -> Self:
        """By the name of its folder and the SHA-256 of the checkpoint, after a look at all of it; from now on
        this process knows where that lies."""
        folder = self._folder()
        came = digest(folder)
        if self.sha256 not in ("", came):
            read(folder, self.sha256)
        read(folder, came)
        remember(came, folder)
        return replace(self, path=folder.absolute().name, sha256=came)

    def build(self, task: Task) -> "BertText":
        """The checkpoint with a freshly initialised pooling and head."""
        self.check(task)
        folder = self._folder()
        checkpoint = read(folder, self.sha256)
        return BertText(self, folder, pieces_of(checkpoint.tokenizer, task.words), len(task.classes))

    def _folder(self) -> Path:
        if not self.path:
            raise BadSetting("bert: expected path to be the folder of a checkpoint: write bert:path=FOLDER")
        return locate(self.path, self.sha256)


class BertText(Model):
    """Text in, logits over the classes out; two classes have one logit z, returned as (0, z).

    The embedded input of a word is the vectors of its pieces, one after the other. What does not train is no
    part of a member. The encoder's own maps come first in the trace, with two positions of its own at their
    end; they are read and not edited. ``trace.read`` are the pooling weights.
    """

    stacks = False
    domain: Domain = "signed"

    def __init__(self, settings: Bert, folder: Path, pieces: Pieces, classes: int) -> None:
        super().__init__()
        self.folder, self.sha256, self.pieces, self.rate = folder, settings.sha256, pieces, settings.dropout
        self.used: Reader | None = None
        encoder = read(folder, settings.sha256).encoder
        self.layers: int = encoder.config.num_hidden_layers
        self.unedited = self.layers
        width = encoder.config.hidden_size
        own = {
            n: p.detach().clone() for n, p in encoder.named_parameters() if _trains(n, settings, self.layers)
        }
        self.encoder = nn.ParameterDict({n.replace(".", "/"): nn.Parameter(p) for n, p in own.items()})
        self.pool = Pool(width, settings.attention, pair=False)
        self.head = nn.Linear(width, 1 if classes == 2 else classes)

    @property
    def attention_names(self) -> tuple[str, ...]:
        """All of the pooling."""
        return tuple(f"pool.{name}" for name, _ in self.pool.named_parameters())

    def embed(self, batch: Batch) -> Float[Tensor, "B T PD"]:
        """The vectors of each word's pieces; 0 where a word has fewer than others."""
        ids, _ = self.pieces.of(batch.inputs, batch.mask)
        there = self.pieces.exist(batch.inputs, batch.mask)
        return (F.embedding(ids, self._vectors()) * there[..., None]).flatten(2)

    def room(self, batch: Batch) -> Bool[Tensor, "B T PD"]:
        """The numbers of the pieces that a word has."""
        there = self.pieces.exist(batch.inputs, batch.mask)
        return there.repeat_interleave(self._vectors().shape[1], -1)

    def encode(self, embedded: Tensor, batch: Batch, edit: Edit) -> Float[Tensor, "B T m"]:
        """The states of the last layer, a word's the mean of its pieces'."""
        states, _ = spread(self._fresh(embedded, batch, maps=False), batch.mask)
        return dropout(states, edit.noise, "states", self.rate)

    def decide(self, states: Tensor, batch: Batch, edit: Edit) -> Trace:
        """Attention pooling and head."""
        context, weights = self.pool(states, batch.mask, edit)
        logits: Tensor = self.head(context)
        logits = F.pad(logits, (1, 0)) if self.head.out_features == 1 else logits
        return Trace(logits, (weights,), states if edit.embedded is None else edit.embedded, states)

    def forward(self, batch: Batch, edit: Edit = PLAIN) -> Trace:
        """A whole pass, with the encoder's maps."""
        embedded = self.embedded(batch, edit)
        states, maps = spread(self._readings(batch, edit, maps=True), batch.mask)
        trace = self.conclude(dropout(states, edit.noise, "states", self.rate), batch, edit)
        (weights,) = trace.attention
        read = F.pad(weights, (0, maps[0].shape[-1] - weights.shape[-1]))
        return replace(trace, attention=(*maps, weights), embedded=embedded, read=read)

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
        """Holes, without maps; with ``stays`` only the pooling is without them."""
        if stays:
            return super().subsets(batch, kept, stays)
        many = batch.map(lambda tensor: tensor.expand(len(kept), *tensor.shape[1:]))
        return self.rank(replace(many, mask=many.mask & kept))

    def noise(self, batch: Batch) -> dict[str, tuple[int, ...]]:
        """Dropout on the states."""
        rows, length = batch.mask.shape[-2:]
        return {} if self.rate == 0.0 else {"states": (rows, length, self.head.in_features)}

    def evidence(self, logits: Float[Tensor, "B C"]) -> Float[Tensor, "B C"]:
        """Of two classes, each has what speaks against the other."""
        if self.head.out_features > 1:
            return logits
        z = logits[..., 1] - logits[..., 0]
        return torch.stack([-z, z], -1)

    def _logits(self, batch: Batch, edit: Edit) -> Float[Tensor, "B C"]:
        states, _ = spread(self._readings(batch, edit, maps=False), batch.mask)
        return self.conclude(dropout(states, edit.noise, "states", self.rate), batch, edit).logits

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
        like = self.head.weight
        if self.used is None or (self.used.dtype, self.used.device) != (like.dtype, like.device):
            self.used = reader(self.folder, self.sha256, like)
        return self.used

    def _vectors(self) -> Tensor:
        """The pieces' vectors: the member's own where they train."""
        own = [tensor for name, tensor in self.encoder.items() if name.endswith("word_embeddings/weight")]
        return own[0] if own else self._reader().vectors


def _trains(name: str, settings: Bert, layers: int) -> bool:
    """Whether this tensor of the encoder is the member's own; what only serves other tasks never is."""
    last = f"layer.{layers - 1}." in name
    return "pooler" not in name and (settings.trains == "all" or (settings.trains == "last" and last))
