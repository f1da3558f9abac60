"""The contract of a comparison."""

from abc import ABC, abstractmethod
from typing import ClassVar

from jaxtyping import Bool, Float
from torch import Tensor


class Comparison(ABC):
    """Compares two explanations of the same instances; a value per instance.

    What is compared (a distribution, ranks, a top set) is *prepared* once for each explanation, so that many
    pairs cost little more than the explanations themselves. The class variables are promises that the
    contract suite tests. Scores may have any leading axes; masked positions never count.
    """

    symmetric: ClassVar[bool]
    bounds: ClassVar[tuple[float, float]]
    higher_is_better: ClassVar[bool]

    @abstractmethod
    def prepare(
        self, scores: Float[Tensor, "*I T"], mask: Bool[Tensor, "*I T"], signed: bool
    ) -> Float[Tensor, "*I S"]:
        """What of the scores is compared (``S`` is ``T``, or ``2 T`` where both signs are kept)."""

    @abstractmethod
    def between(
        self, a: Float[Tensor, "*I S"], b: Float[Tensor, "*I S"], mask: Bool[Tensor, "*I T"]
    ) -> Float[Tensor, "*I"]:
        """The value for each instance, from two prepared explanations."""

    def __call__(
        self,
        a: Float[Tensor, "*I T"],
        b: Float[Tensor, "*I T"],
        mask: Bool[Tensor, "*I T"],
        signed: bool = False,
    ) -> Float[Tensor, "*I"]:
        """Prepare both and compare them."""
        return self.between(self.prepare(a, mask, signed), self.prepare(b, mask, signed), mask)

    def suits(self, longest: int) -> None:  # noqa: B027 - most refuse nothing
        """Refuse examples of which it says nothing, as the longest has no more than so many positions."""

    @property
    def identical(self) -> float:
        """The value for an explanation against itself."""
        return self.bounds[1] if self.higher_is_better else self.bounds[0]
