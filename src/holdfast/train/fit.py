"""How a family is trained, what training says on the way, and what it leaves."""

from collections.abc import Callable
from dataclasses import dataclass, field

from jaxtyping import Float
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.core.settings import at_most
from holdfast.train.optimise import Adam, Optimiser
from holdfast.train.repair import Tensors

LARGEST, LONGEST = 65_536, 1_000_000  # examples of a batch, epochs


@dataclass(frozen=True)
class Fit:
    """How a family is trained. ``patience`` is how many epochs without a better validation score a member
    may have; ``decay_embeddings`` restores the lineage's weight decay on embeddings; of the first
    ``snapshots`` seeds the weights after every epoch are kept, to see how explanations come about; ``last``
    says that all epochs run and the last one counts, not the best."""

    epochs: int = 20
    batch: int = 32
    patience: int = 3
    optimiser: Optimiser = field(default_factory=Adam)
    decay_embeddings: bool = False
    snapshots: int = 0
    last: bool = False

    def __post_init__(self) -> None:
        for name in ("epochs", "batch", "patience"):
            if getattr(self, name) < 1:
                raise BadSetting(f"expected {name} to be 1 or more, but got {getattr(self, name)}")
            at_most(f"expected {name}", getattr(self, name), LARGEST if name == "batch" else LONGEST)


@dataclass(frozen=True)
class Progress:
    """What a training loop says after each epoch."""

    members: tuple[Member, ...]
    epoch: int
    epochs: int
    ended: bool


@dataclass(frozen=True)
class Trained:
    """One member after training.

    ``path`` holds its log-odds (of more than two classes: the log-probability of its top class) on some
    validation rows after each epoch: where it went, as a function. ``why`` says why it is left out, if it is.
    """

    member: Member
    parameters: Tensors
    best: int
    history: tuple[float, ...]
    path: Float[Tensor, "E N"]
    why: str | None = None
    snapshots: tuple[Tensors, ...] = ()


Listener = Callable[[Progress], None]
