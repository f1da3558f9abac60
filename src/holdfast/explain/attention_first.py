"""Attention of the first block as an explanation."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.core.settings import name_of
from holdfast.explain.base import Explainer
from holdfast.explain.maps import check_head, heads, input_scores, maps, row
from holdfast.models.run import Run


@dataclass(frozen=True)
class AttentionFirst(Explainer):
    """``Σ_t read_t A⁽1⁾_tj``, A⁽1⁾ the mean over heads of the first block's map (Baumhauer's α_first).

    A recommender reads one position: this is its row of the map. A text transformer pools: its rows are
    averaged by the pooling weights. For a model that only pools this is its one map. ``head`` selects one
    head.

    >>> AttentionFirst(head=1).head
    1
    """

    signed: ClassVar[bool] = False
    block: ClassVar[int] = 0

    head: int | None = None

    def __post_init__(self) -> None:
        check_head(name_of(type(self)), self.head)

    def scores(
        self,
        run: Run,
        batch: Batch,
        target: Int[Tensor, "B"],
        noise: Float[Tensor, "B T D"] | None = None,
    ) -> Float[Tensor, "B T"]:
        """The row that is read."""
        who = name_of(type(self))
        blocks, read = maps(who, run(batch))
        if not blocks:
            return input_scores(read, batch)
        return input_scores(row(read, heads(who, blocks[self.block], self.head)), batch)
