"""A classifier as Hugging Face's transformers has it: a checkpoint, and its family's head on top."""

from dataclasses import dataclass
from typing import ClassVar

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.core.records import Batch, Edit, Trace
from holdfast.data.base import Task
from holdfast.models.adapters.checkpoint import read
from holdfast.models.adapters.encoded import EncodedArchitecture, EncodedText, Trains
from holdfast.models.adapters.head import Head
from holdfast.models.adapters.reader import OWN, Reading


@dataclass(frozen=True)
class HuggingFace(EncodedArchitecture):
    """A classifier of Hugging Face's transformers (bert, distilbert, electra, roberta): a trained encoder
    under the head that this family has there, of the position before the text (Devlin et al. 2019).

    ``hf:FOLDER`` is short for ``hf:path=FOLDER``. Every member draws the head anew; ``trains`` says what is
    fine-tuned beside it: nothing, the last layer, or all of it; frozen layers read each text once for all
    members. ``dropout`` acts on what the head is given. A plan adds ``sha256``, the checkpoint's own.

    >>> HuggingFace("checkpoints/minilm", trains="all").trains
    'all'
    """

    name: ClassVar[str] = "hf"
    attends: ClassVar[bool] = False

    path: str = ""
    trains: Trains = "head"
    dropout: float = 0.0
    sha256: str = ""

    @property
    def explainers(self) -> tuple[str, ...]:
        """Rollout reads the attention of all layers."""
        return ("rollout", "gradient_input", "integrated_gradients", "leave_one_out", "random")

    @property
    def optimiser(self) -> str | None:
        """Slow enough that trained layers stay useful."""
        return {"head": None, "last": "adam:lr=0.0002", "all": "adam:lr=5e-05"}[self.trains]

    def build(self, task: Task) -> "HuggingFaceText":
        """The checkpoint with a freshly drawn head."""
        self.check(task)
        return HuggingFaceText(self, task)


class HuggingFaceText(EncodedText):
    """The head reads one position, the checkpoint's own before the text, and so does ``trace.read``."""

    first = True
    head: Head

    def __init__(self, settings: HuggingFace, task: Task) -> None:
        super().__init__(settings, task)
        config = read(self.folder, self.sha256).encoder.config
        self.head = Head(config.model_type, self.width, len(task.classes), config.initializer_range)

    def decide(self, states: Tensor, batch: Batch, edit: Edit) -> Trace:
        """The head; of two classes by how much the second one's logit is larger. On a CPU example by example,
        as the encoder reads them, so that neighbours change no bit."""
        groups = (states,) if states.is_cuda else torch.split(states, 1)
        logits = torch.cat([self.head(some) for some in groups])
        if logits.shape[-1] == 2:
            logits = F.pad(logits[..., 1:] - logits[..., :1], (1, 0))
        return Trace(logits, (), states if edit.embedded is None else edit.embedded, states)

    def noise(self, batch: Batch) -> dict[str, tuple[int, ...]]:
        """Dropout on the states."""
        return {} if self.rate == 0.0 else {"states": (batch.mask.shape[-2], self.width)}

    def gathered(self, readings: list[Reading], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B m"]:
        """The state of the position before each text."""
        return torch.cat([reading.states for reading in readings])

    def weighed(self, trace: Trace, mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B T2"]:
        """All of it on the position before the text, which comes after the words in maps."""
        rows, length = mask.shape
        place = torch.tensor(length, device=mask.device)
        return F.one_hot(place, length + OWN).to(trace.logits.dtype).expand(rows, -1)
