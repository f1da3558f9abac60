"""A BERT-family checkpoint under attention pooling (Devlin et al. 2019; SEAT)."""

from dataclasses import dataclass
from typing import get_args

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from holdfast.core.records import Batch, Edit, Trace
from holdfast.data.base import Task
from holdfast.models.adapters.encoded import EncodedArchitecture, EncodedText, Trains
from holdfast.models.adapters.reader import OWN, Reading
from holdfast.models.layers import Attention, Pool


@dataclass(frozen=True)
class Bert(EncodedArchitecture):
    """A trained encoder (bert, distilbert, electra, roberta) whose words are pooled by attention (Devlin et
    al. 2019).

    ``path`` is its folder. A word's state is the mean of its pieces' states. ``trains`` says what is
    fine-tuned beside the pooling and the head: nothing, the last layer, or all of it; frozen layers read each
    text once for all members. ``dropout`` acts on the states. A plan has the name of the folder alone, and
    ``sha256``, the checkpoint's own.

    >>> Bert("checkpoints/minilm", trains="last").trains
    'last'
    """

    path: str = ""
    trains: Trains = "head"
    attention: Attention = "additive"
    dropout: float = 0.0
    sha256: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.attention not in get_args(Attention):
            self._refuse("attention", " or ".join(get_args(Attention)))

    def build(self, task: Task) -> "BertText":
        """The checkpoint with a freshly initialised pooling and head."""
        self.check(task)
        return BertText(self, task)


class BertText(EncodedText):
    """Attention pooling over the words' states, and a linear head; ``trace.read`` are the pooling weights."""

    head: nn.Linear

    def __init__(self, settings: Bert, task: Task) -> None:
        super().__init__(settings, task)
        self.pool = Pool(self.width, settings.attention, pair=False)
        self.head = nn.Linear(self.width, 1 if len(task.classes) == 2 else len(task.classes))

    @property
    def attention_names(self) -> tuple[str, ...]:
        """All of the pooling."""
        return tuple(f"pool.{name}" for name, _ in self.pool.named_parameters())

    def decide(self, states: Tensor, batch: Batch, edit: Edit) -> Trace:
        """Attention pooling and head."""
        context, weights = self.pool(states, batch.mask, edit)
        logits: Tensor = self.head(context)
        logits = F.pad(logits, (1, 0)) if self.head.out_features == 1 else logits
        return Trace(logits, (weights,), states if edit.embedded is None else edit.embedded, states)

    def noise(self, batch: Batch) -> dict[str, tuple[int, ...]]:
        """Dropout on the states."""
        return {} if self.rate == 0.0 else {"states": (*batch.mask.shape[-2:], self.width)}

    def gathered(self, readings: list[Reading], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B T m"]:
        """Every word's state at its place."""
        flat = torch.cat([reading.states for reading in readings])
        return flat.new_zeros(*mask.shape, flat.shape[1]).masked_scatter(mask[..., None], flat)

    def weighed(self, trace: Trace, mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B T2"]:
        """The pooling weights; nothing of the checkpoint's own positions."""
        return F.pad(trace.attention[-1], (0, OWN))
