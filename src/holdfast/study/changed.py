"""What members say of perturbed examples."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.data.perturb.split import PerturbedSplit


@dataclass(frozen=True)
class Changed:
    """The perturbed examples, and every member's scores of them, by explainer."""

    split: PerturbedSplit
    scores: Mapping[str, Float[Tensor, "M K T"]]

    def only(self, members: Int[Tensor, "n"]) -> "Changed":
        """Those of some members, by their place."""
        return replace(self, scores={name: scores[members] for name, scores in self.scores.items()})
