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
from holdfast.explain.maps import check_residual, maps, mixed, own, row
from holdfast.models.base import Run

SCALE = 2**30  # scipy's flows are whole numbers of 32 bits


@dataclass(frozen=True)
class Flow(Explainer):
    """The largest flow from the output to each position through all layers (Abnar & Zuidema 2020).

    The edge from t in layer i to j below it carries at most ``((1 − r)·mean_heads A⁽ⁱ⁾ + r·I)_tj``, that from
    the output to t at most ``read_t``. Each position has a flow of its own, so they need not sum to 1. With
    one map or two there is a closed form; with more it is a maximum flow each, exact to 2⁻³⁰ an edge of the
    smallest cut. That takes its time: examples of more than ``longest`` positions are refused.

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
        """One maximum flow a position."""
        blocks, read = maps("flow", run(batch))
        length = batch.mask.shape[-1]
        if length > self.longest and blocks:
            raise BadSetting(
                f"flow: expected at most {self.longest} positions, but got {length}: "
                "choose rollout instead, or a larger longest"
            )
        return own(flows(read, tuple(mixed(weights, self.residual) for weights in blocks)), batch)


def flows(read: Float[Tensor, "B T"], blocks: tuple[Float[Tensor, "B T T"], ...]) -> Float[Tensor, "B T"]:
    """The largest flow from a source that feeds ``read_t`` into each t of the last block, to each position.

    >>> some = torch.tensor([[[1.0, 0.0], [0.5, 0.5]]])
    >>> flows(torch.tensor([[0.0, 1.0]]), (some, some))
    tensor([[1.0000, 0.5000]])
    """
    if not blocks:
        return read
    if len(blocks) == 1:
        return torch.minimum(read[:, :, None], blocks[0]).sum(1)
    if len(blocks) == 2 and bool(((read == 1) | (read == 0)).all()):
        # all is read at one position: the upper block's row is what the lower one is fed with
        return torch.minimum(row(read, blocks[1])[..., None], blocks[0]).sum(1)
    found = [_each(own, *(block[b] for block in blocks)) for b, own in enumerate(read)]
    return torch.stack(found)


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
    found = [maximum_flow(capacities, 0, sink).flow_value / SCALE for sink in bottom]
    return read.new_tensor(found)


def _whole(capacities: Tensor) -> "np.ndarray[tuple[int, ...], np.dtype[np.int64]]":
    return (capacities.detach().double().cpu().numpy() * SCALE).round().astype(np.int64)
