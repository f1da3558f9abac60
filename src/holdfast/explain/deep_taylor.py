"""Deep Taylor decomposition."""

from dataclasses import dataclass
from typing import Literal, get_args

from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.core.rules import Rules
from holdfast.explain.base import exists, has_vectors
from holdfast.explain.relevance import RuleExplainer
from holdfast.explain.rules.taylor import Entry, Taylor, leaves

Chosen = Literal["auto", "zbeta", "wsquare", "zplus"]


@dataclass(frozen=True)
class DeepTaylor(RuleExplainer):
    """z⁺ inside; z^β where pixels enter, w² where word vectors do (Montavon et al. 2017; Chormai §3.2.6).

    ``entry`` chooses the rule at the input; pixels lie between −1 and 1. Where a unit's sum is negative its
    negative parts take the place of the positive ones. z^β and w² compare with another input, one without
    evidence, so all the scores that a unit hands to its inputs have the unit's sign.

    >>> DeepTaylor(entry="zplus").entry
    'zplus'
    """

    entry: Chosen = "auto"

    def __post_init__(self) -> None:
        if self.entry not in get_args(Chosen):
            raise BadSetting(
                f"deep_taylor: expected entry to be auto, zbeta, wsquare or zplus, but got {self.entry}"
            )

    def rules(self, batch: Batch, embedded: Tensor) -> Rules:
        """z⁺, with the rule for the input."""
        return Taylor(self._entry(batch, embedded))

    def leaves(self, batch: Batch, embedded: Tensor) -> Tensor:
        """The input, and what its rule distributes relevance by."""
        return leaves(embedded, exists(batch, embedded), self._entry(batch, embedded))

    def _entry(self, batch: Batch, embedded: Tensor) -> Entry:
        vectors = has_vectors(batch, embedded)
        if self.entry == "auto":
            return "wsquare" if vectors else "zbeta"
        if self.entry == "zbeta" and vectors:
            raise BadSetting(
                "deep_taylor: expected entry to be wsquare or zplus for word vectors, which have no bounds, "
                "but got zbeta"
            )
        return self.entry
