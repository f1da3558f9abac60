"""Options that override a study's own choices."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.data.source import Source
from holdfast.train.fit import Fit


@dataclass(frozen=True)
class Overrides:
    """Options of ``holdfast audit`` and ``holdfast reproduce``; ``None`` takes the study's default (for
    ``instances`` that is "default": None explains all).

    ``vectors`` gives the word vectors for a data set's name. An audit has one ``source``, a study has names
    of ``data``. ``base`` holds all settings of training; the single settings override it."""

    source: Source | None = None
    data: Sequence[str] | None = None
    models: Sequence[str] | None = None
    repairs: Sequence[str] | None = None
    explainers: Sequence[str] | None = None
    comparisons: Sequence[str] | None = None
    probes: Sequence[str] | None = None
    perturbations: Sequence[str] | None = None
    seeds: int | None = None
    folds: int | None = None
    epochs: int | None = None
    batch: int | None = None
    patience: int | None = None
    optimiser: str | None = None
    decay_embeddings: bool = False
    max_length: int | None = None
    instances: int | Literal["default"] | None = "default"
    device: str = "cpu"
    quick: bool = False
    base: Fit | None = None
    vectors: Callable[[str], str | None] = lambda name: None

    def without_texts(self, study: str) -> None:
        """Refuse what only texts have."""
        if self.max_length is not None:
            raise BadSetting(f"--max-length is for texts, but {study} has none: leave it out")

    def fit(self, default: Fit) -> Fit:
        """How to train: ``default`` with what was overridden."""
        given = {name: getattr(self, name) for name in ("epochs", "batch", "patience")}
        changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        if self.optimiser is not None:
            changes["optimiser"] = make("optimisers", self.optimiser)
        start = self.base or default
        return replace(start, decay_embeddings=self.decay_embeddings or start.decay_embeddings, **changes)
