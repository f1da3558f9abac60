"""What somebody asks of a study; whatever is left open is as the study does it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.train.fit import Fit


@dataclass(frozen=True)
class Overrides:
    """Options of ``holdfast reproduce``: ``None`` is the study's own choice (``instances``: "own", as None
    explains all); ``vectors`` gives the word vectors for a data set's name."""

    data: Sequence[str] | None = None
    models: Sequence[str] | None = None
    repairs: Sequence[str] | None = None
    seeds: int | None = None
    folds: int | None = None
    epochs: int | None = None
    batch: int | None = None
    patience: int | None = None
    optimiser: str | None = None
    decay_embeddings: bool = False
    max_length: int | None = None
    instances: int | Literal["own"] | None = "own"
    device: str = "cpu"
    quick: bool = False
    vectors: Callable[[str], str | None] = lambda name: None

    def without_texts(self, study: str) -> None:
        """Refuse what only texts have."""
        if self.max_length is not None:
            raise BadSetting(f"--max-length is for texts, but {study} has none: leave it out")

    def fit(self, own: Fit) -> Fit:
        """How to train: a study's own way, with what was overridden."""
        return Fit(
            self.epochs if self.epochs is not None else own.epochs,
            self.batch if self.batch is not None else own.batch,
            self.patience if self.patience is not None else own.patience,
            make("optimisers", self.optimiser) if self.optimiser is not None else own.optimiser,
            self.decay_embeddings,
        )
