"""What an audit of one modality does by default, what it measures, and what it shows."""

from abc import ABC
from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar, NamedTuple

from jaxtyping import Float
from torch import Tensor

from holdfast.core.modality import modality_of
from holdfast.data.base import Kind
from holdfast.measure.impostors import AnotherInput
from holdfast.measure.scale import Scale
from holdfast.study.findings import Example
from holdfast.study.measurement import Measurement
from holdfast.study.picture import Picture
from holdfast.study.quality import classifier_rows
from holdfast.study.result import FamilyResult
from holdfast.train.fit import Fit


class Defaults(NamedTuple):
    """What an audit does unless it is told otherwise."""

    models: tuple[str, ...]
    explainers: tuple[str, ...]
    comparisons: tuple[str, ...]
    fit: Fit = Fit()


class Modality(ABC):
    """``lengths`` says whether examples differ in length, so that hold is also reported by length;
    ``explains`` is what ``holdfast explain`` expects, in words; ``part`` is what has a score, in one word;
    ``suspect`` is what to check where no model learns; ``another`` is how an explanation of another input is
    laid over this one; ``probe`` asks whether an explanation matters to the model, as it suits these inputs.
    """

    defaults: ClassVar[Defaults]
    explains: ClassVar[str]
    part: ClassVar[str]
    suspect: ClassVar[str] = "labels"
    another: ClassVar[AnotherInput]
    lengths: ClassVar[bool] = True
    probe: ClassVar[str] = "comprehensiveness"

    def defaults_of(self, models: tuple[str, ...]) -> Defaults:
        """The defaults where these models are audited."""
        return self.defaults._replace(models=models)

    def quality(self, family: FamilyResult, row: Callable[..., Measurement]) -> Iterator[Measurement]:
        """How good the members are; ``row`` makes a row of the family's table."""
        return classifier_rows(family, row)

    def overall(self, family: FamilyResult, row: Callable[..., Measurement]) -> Iterator[Measurement]:
        """What explanations say over all examples, where that means something."""
        return iter(())

    def credited(self, scores: Float[Tensor, "M K P"]) -> Float[Tensor, "M K P"]:
        """What of the scores counts where the truth is known: a word that decides may by itself speak
        against the class, so that its size does."""
        return scores

    def examples(self, family: FamilyResult, scales: Mapping[str, Scale], first: str) -> list[Example]:
        """Examples to show token by token, chosen by the hold of the explainer ``first``."""
        return []

    def pictures(self, family: FamilyResult, scales: Mapping[str, Scale], first: str) -> list[Picture]:
        """Examples to draw as images, chosen likewise."""
        return []


def modality(kind: Kind) -> Modality:
    """The modality of this name.

    >>> modality("image").defaults.models
    ('convrlstm',)
    """
    return modality_of(Modality, kind)  # type: ignore[no-any-return]
