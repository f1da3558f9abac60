"""Attention of the last block as an explanation."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.explain.base import Explainer
from holdfast.explain.maps import check_head, heads, maps, own, row
from holdfast.models.base import Run


@dataclass(frozen=True)
class AttentionLast(Explainer):
    """``Σ_t read_t A⁽b⁾_tj``, A⁽b⁾ the mean over heads of the last block's map (Baumhauer's α_last).

    A recommender reads one position: this is its row of the map. A text transformer pools: its rows count by
    the pooling weights. A model that only pools has one map, which this is then. ``head`` asks for one head.

    >>> AttentionLast(head=1).head
    1
    """

    signed: ClassVar[bool] = False

    head: int | None = None

    def __post_init__(self) -> None:
        check_head("attention_last", self.head)

    def scores(
        self,
        run: Run,
        batch: Batch,
        target: Int[Tensor, "B"],
        noise: Float[Tensor, "B T D"] | None = None,
    ) -> Float[Tensor, "B T"]:
        """The row that is read."""
        blocks, read = maps("attention_last", run(batch))
        if not blocks:
            return own(read, batch)
        return own(row(read, heads("attention_last", blocks[-1], self.head)), batch)
