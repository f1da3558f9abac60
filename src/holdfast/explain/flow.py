"""Attention flow."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch
from holdfast.explain.base import Explainer
from holdfast.explain.maps import check_residual, input_scores, maps, mixed, row
from holdfast.models.run import Run

SCALE = 2**30  # scipy's flows are whole numbers of 32 bits


@dataclass(frozen=True)
class Flow(Explainer):
    """The maximum flow from the output to each position through all layers (Abnar & Zuidema 2020).

    The edge from t in layer i to j below it carries at most ``((1 − r)·mean_heads A⁽ⁱ⁾ + r·I)_tj``, that from
    the output to t at most ``read_t``. Each position has its own flow problem, so scores need not sum to 1.
    With one or two maps there is a closed form; with more, each flow is computed, exact to 2⁻³⁰ per edge of
    the minimum cut. That is slow, so examples of more than ``longest`` positions are refused.

    >>> Flow(longest=20).longest
    20
    """

    signed: ClassVar[bool] = False
    mapped: ClassVar[bool] = False

    residual: float = 0.5
    longest: int = 64

    def __post_init__(self) -> None:
        check_residual("flow", self.residual)
        if self.longest < 1:
            raise BadSetting(f"flow: expected longest to be at least 1, but got {self.longest}")

    def scores(
        self,
        run: Run,
        batch: Batch,
        target: Int[Tensor, "B"],
        noise: Float[Tensor, "B T D"] | None = None,
    ) -> Float[Tensor, "B T"]:
        """One maximum flow for each position."""
        blocks, read = maps("flow", run(batch))
        length = batch.mask.shape[-1]
        if length > self.longest and blocks:
            raise BadSetting(
                f"flow: expected at most {self.longest} positions, but got {length}: "
                "choose rollout instead, or a larger longest"
            )
        return input_scores(flows(read, tuple(mixed(weights, self.residual) for weights in blocks)), batch)


def flows(read: Float[Tensor, "B T"], blocks: tuple[Float[Tensor, "B T T"], ...]) -> Float[Tensor, "B T"]:
    """The maximum flow from a source that feeds ``read_t`` into each t of the last block, to each position.

    >>> block = torch.tensor([[[1.0, 0.0], [0.5, 0.5]]])
    >>> flows(torch.tensor([[0.0, 1.0]]), (block, block))
    tensor([[1.0000, 0.5000]])
    """
    if not blocks:
        return read
    if len(blocks) == 1:
        return torch.minimum(read[:, :, None], blocks[0]).sum(1)
    if len(blocks) == 2 and bool(((read == 1) | (read == 0)).all()):
        # the output reads one position: its row of the upper block is what flows into the lower one
        return torch.minimum(row(read, blocks[1])[..., None], blocks[0]).sum(1)
    examples = enumerate(read)
    return torch.stack([_each(weights, *(block[b] for block in blocks)) for b, weights in examples])


def _each(read: Float[Tensor, "T"], *blocks: Float[Tensor, "T T"]) -> Float[Tensor, "T"]:
    """A flow network: the source, T nodes above each block, T below the first."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    size, depth = len(read), len(blocks)
    network = np.zeros((1 + size * (depth + 1),) * 2, np.int32)
    network[0, 1 : 1 + size] = _whole(read)
    for above, block in enumerate(reversed(blocks)):
        start = 1 + above * size
        network[start : start + size, start + size : start + 2 * size] = _whole(block)
    capacities = csr_array(network)
    bottom = range(1 + size * depth, 1 + size * (depth + 1))
    return read.new_tensor([maximum_flow(capacities, 0, sink).flow_value / SCALE for sink in bottom])


def _whole(capacities: Tensor) -> "np.ndarray[tuple[int, ...], np.dtype[np.int64]]":
    return (capacities.detach().double().cpu().numpy() * SCALE).round().astype(np.int64)
