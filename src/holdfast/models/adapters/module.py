"""A text classifier of somebody's own, an ``nn.Module``, as a model of ours."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple, get_args

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm

from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.data.base import Task
from holdfast.data.reading import listed
from holdfast.models.adapters.adapted import AdaptedText
from holdfast.models.adapters.calling import AUTO, call_of, made, sizes_of
from holdfast.models.adapters.drawn import redrawn, undrawn
from holdfast.models.adapters.facts import Facts, Tried, facts_of
from holdfast.models.adapters.layers import embedding_name, layer
from holdfast.models.adapters.state_dicts import state_dict
from holdfast.models.base import Architecture

Read = Literal["mean", "first", "last"]
SPECIAL = 2  # padding and unknown words, of our own vocabulary


class Origin(NamedTuple):
    """Where members come from: a class that makes modules, or one module; ``files`` are state dicts of it,
    each with its SHA-256; ``fresh`` makes an untrained one."""

    module: type[nn.Module] | nn.Module
    files: tuple[tuple[Path, str], ...] = ()
    fresh: Callable[[], nn.Module] | None = None

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.cls.__name__

    @property
    def cls(self) -> type[nn.Module]:
        """Its class."""
        return self.module if isinstance(self.module, type) else type(self.module)


@dataclass(frozen=True)
class Adapted(Architecture):
    """A text classifier of your own: an nn.Module from ids, and a mask where it takes one, to logits.

    ``embedding`` names the layer that embeds the words (default: its only nn.Embedding), ``attention`` one
    whose weights are read; of maps between words ``read`` says which row counts: their mean, the first or
    the last word's. ``ids`` and ``mask`` are the keywords that it is called with (``mask``: "none" where it
    takes none), ``hides`` says that its mask is True where nothing is. ``pad`` is the id of padding (default:
    the embedding's padding_idx, else 0), ``missing`` the one that stands for a deleted word where the mask
    cannot hide one (default: that of padding).
    """

    attends: ClassVar[bool] = False
    pretrained: ClassVar[bool] = False
    origin: ClassVar[Origin]

    embedding: str = ""
    attention: str = ""
    ids: str = ""
    mask: str = AUTO
    hides: bool = False
    pad: int | None = None
    missing: int | None = None
    read: Read = "mean"

    def __post_init__(self) -> None:
        if self.read not in get_args(Read):
            self._refuse("read", "mean, first or last")

    @property
    def explainers(self) -> tuple[str, ...]:
        """Those that need nothing but its vectors and logits, and attention where it is named."""
        own = ("gradient", "gradient_input", "integrated_gradients", "leave_one_out", "random")
        return (*(("attention",) if self.attention else ()), *own)

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the state dicts."""
        return tuple(path.name for path, _ in self.origin.files)

    @property
    def undrawn(self) -> str:
        """Where a module has parameters that no layer of it resets, and nobody said how to make another."""
        module = self.origin.module
        if isinstance(module, type) or self.origin.fresh is not None:
            return ""
        left = undrawn(module)
        what = f"no layer of {self.origin.name} has a reset_parameters that draws {listed(left)}"
        return f"{what} (give fresh=…, a function that makes a new one)" if left else ""

    def notes(self, task: Task) -> tuple[str, ...]:
        """How words are deleted, and whether padding changes its answers."""
        name, facts = self.origin.name, self._built(task)[1]
        module = self._built(task)[0].module
        how = "hidden by the mask" if facts.holes else f"replaced by the id {self._missing(module)}"
        said = [f"Of {name}, a deleted word is {how}; one at the end of a text is cut off."]
        if facts.holes:
            said = [f"Of {name}, a deleted word is {how}."]
        if not facts.pads:
            said.append(
                f"The logits of {name} change when padding is added, so every text was run without any: in "
                "padded batches it may answer otherwise."
            )
        return tuple(said)

    def weights(self, task: Task, member: Member) -> dict[str, Tensor]:
        """The tensors of a state dict, with the buffers that are in none."""
        path, digest = self.origin.files[member.seed]
        with torch.random.fork_rng(devices=[]):
            model = self.build(task)
        own = state_dict(path, digest, model.module, model.embedding)
        found = {f"module.{name}": tensor for name, tensor in own.items()}
        return {name: found.get(name, tensor) for name, tensor in model.tensors().items()}

    def check(self, task: Task) -> None:
        """Single texts."""
        super().check(task)
        if task.pair or task.cloze:
            raise BadSetting(
                f"{self.origin.name}: expected single texts, but got pairs: choose another model"
            )

    def build(self, task: Task) -> AdaptedText:
        """The module with freshly drawn numbers."""
        self.check(task)
        tried, facts = self._built(task)
        module = self._fresh(task)
        return AdaptedText(tried._replace(module=module), facts, self.read, self._missing(module), task.ids)

    def _fresh(self, task: Task) -> nn.Module:
        origin = self.origin
        if isinstance(origin.module, type):
            return made(origin.module, task).eval()
        return (redrawn(origin.module) if origin.fresh is None else origin.fresh()).eval()

    def _missing(self, module: nn.Module) -> int:
        return self._pad(module) if self.missing is None else self.missing

    def _pad(self, module: nn.Module) -> int:
        part = layer(module, embedding_name(module, self.embedding), "embedding")
        known = getattr(part, "padding_idx", None)
        return self.pad if self.pad is not None else 0 if known is None else int(known)

    def _built(self, task: Task) -> tuple[Tried, Facts]:
        """How the module is called, and what was found out about it; once for tasks of the same sizes."""
        ids = (task.vocabulary,) if task.ids is None else tuple(task.ids.tolist())
        sizes = Task(sizes_of(task)[0], task.classes)
        return _built(self, ids, sizes)


@lru_cache(maxsize=8)
def _built(settings: Adapted, ids: tuple[int, ...], task: Task) -> tuple[Tried, Facts]:
    origin = settings.origin
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        module = made(origin.module, task).eval() if isinstance(origin.module, type) else origin.module
        name = embedding_name(module, settings.embedding)
        if settings.attention:
            layer(module, settings.attention, "attention")
        part, pad = layer(module, name, "embedding"), settings._pad(module)
        count = getattr(part, "num_embeddings", None)
        words = torch.tensor(ids) if len(ids) > 1 else torch.arange(ids[0])
        for what, most in (
            ("the texts", int(words.max())),
            ("padding", pad),
            ("missing words", settings._missing(module)),
        ):
            if isinstance(count, int) and not 0 <= most < count:
                raise BadSetting(
                    f"{origin.name} has {count:,} embeddings, but {what} use the id {most}: expected ids "
                    f"from 0 to {count - 1:,}, so check that they are of its own tokenizer"
                )
        if not origin.files and any(isinstance(one, _BatchNorm) for one in module.modules()):
            raise BadSetting(
                f"{origin.name} has batch normalisation, whose running numbers are not trained here: use "
                "nn.LayerNorm, or bring trained members, holdfast.family(module, files)"
            )
        call, missing = (
            call_of(module, settings.ids, settings.mask, settings.hides),
            settings._missing(module),
        )
        tried = Tried(module, call, name, settings.attention, pad, len(task.classes), missing)
        real = torch.unique(words[words >= 0])
        some = real[real != pad]
        return tried, facts_of(tried, (some if len(ids) > 1 else some[some >= SPECIAL]))
