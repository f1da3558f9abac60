"""Recommenders rank candidates: an answer is right if the next item is among the top 10 %."""

from typing import ClassVar

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.data.base import Dataset
from holdfast.models.base import Model
from holdfast.train.evaluate import ranks
from holdfast.train.modality import Modality
from holdfast.train.objective import candidate_ranks, hits, top_decile
from holdfast.train.repair import Tensors


class Interaction(Modality):
    """Recall@10 % of the candidates; a member also says where the target stands among all items."""

    metric: ClassVar[str] = "recall"
    called: ClassVar[str | None] = "recall@10 %"
    balanced: ClassVar[bool] = False

    def watched(self, logits: Float[Tensor, "*M N C"], targets: Int[Tensor, "N"]) -> Float[Tensor, "*M"]:
        """The recall itself."""
        return hits(logits, targets)

    def right(self, probabilities: Float[Tensor, "M N C"], targets: Int[Tensor, "N"]) -> Float[Tensor, "M N"]:
        """1 where the target is among the top 10 % of the candidates."""
        first = top_decile(probabilities.shape[-1])
        return (candidate_ranks(probabilities, targets) <= first).double()

    def chance(self, probabilities: Float[Tensor, "M N C"], dataset: Dataset) -> tuple[float, str]:
        """10 %, as nearly as the number of candidates allows."""
        candidates = probabilities.shape[-1]
        return top_decile(candidates) / candidates, "picking a tenth of the candidates at random"

    def answers(self, model: Model, parameters: Tensors, dataset: Dataset, stacked: bool) -> Tensors:
        """Where the target stands among all items."""
        splits = {name: dataset.splits[name] for name in ("validation", "test")}
        return {f"ranks/{k}": ranks(model, parameters, s, stacked=stacked) for k, s in splits.items()}
