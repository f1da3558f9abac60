"""Recommenders rank candidates: what counts is whether the next item is among the first tenth."""

from typing import ClassVar

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.data.base import Dataset
from holdfast.models.base import Model
from holdfast.train.evaluate import ranks
from holdfast.train.modality import Modality
from holdfast.train.objective import hits, top_decile
from holdfast.train.repair import Tensors


class Interaction(Modality):
    """Recall@10 % of the candidates; a member also says where the target stands among all items."""

    metric: ClassVar[str] = "recall"
    called: ClassVar[str | None] = "recall@10 %"

    def watched(self, logits: Float[Tensor, "*M N C"], targets: Int[Tensor, "N"]) -> Float[Tensor, "*M"]:
        """The recall itself."""
        return hits(logits, targets)

    def right(self, probabilities: Float[Tensor, "M N C"], targets: Int[Tensor, "N"]) -> Float[Tensor, "M"]:
        """How often the target is among the first tenth of the candidates."""
        return hits(probabilities, targets)

    def chance(self, probabilities: Float[Tensor, "M N C"], targets: Int[Tensor, "N"]) -> tuple[float, str]:
        """A tenth, as near as so many candidates come to it."""
        candidates = probabilities.shape[-1]
        return top_decile(candidates) / candidates, "picking a tenth of the candidates at random"

    def answers(self, model: Model, parameters: Tensors, dataset: Dataset, stacked: bool) -> Tensors:
        """Where the target stands among all items."""
        splits = {name: dataset.splits[name] for name in ("validation", "test")}
        return {f"ranks/{k}": ranks(model, parameters, s, stacked=stacked) for k, s in splits.items()}
