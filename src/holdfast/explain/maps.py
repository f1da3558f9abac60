"""Reading a model's attention maps: what its positions attend to, and how its output reads them."""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Trace

WITHOUT = "gradient, leave_one_out or shapley"


class Maps(NamedTuple):
    """The maps of all blocks, first block first, (B, heads, T, T) each, and the weight with which the output
    reads each position above them.

    A model that only pools its states has no blocks: ``read`` is its one map.
    """

    blocks: tuple[Float[Tensor, "B H T T"], ...]
    read: Float[Tensor, "B T"]


def maps(who: str, trace: Trace) -> Maps:
    """The maps of a pass, or ``BadSetting`` in the explainer's name where there are none.

    >>> pooled = torch.tensor([[0.25, 0.75]])
    >>> maps("rollout", Trace(pooled, (pooled,), pooled, pooled))
    Maps(blocks=(), read=tensor([[0.2500, 0.7500]]))
    """
    if not trace.attention:
        raise BadSetting(
            f"{who}: expected a model with attention, but got one without: choose {WITHOUT} instead"
        )
    blocks = tuple(weights for weights in trace.attention if weights.dim() > 2)
    read = trace.attention[-1] if trace.read is None else trace.read
    if read.dim() > 2:
        raise BadSetting(
            f"{who}: expected a model that says which position it reads (trace.read), but got none"
        )
    return Maps(blocks, read)


def heads(who: str, weights: Float[Tensor, "B H T T"], head: int | None = None) -> Float[Tensor, "B T T"]:
    """The mean over heads, or one of them.

    >>> heads("rollout", torch.tensor([[[[1.0]], [[0.0]]]]))
    tensor([[[0.5000]]])
    """
    if head is None:
        return weights.mean(1)
    if head >= weights.shape[1]:
        count = f"there are {weights.shape[1]}, counted from 0"
        raise BadSetting(f"{who}: expected head to be one of the model's, but got {head}: {count}")
    return weights[:, head]


def row(read: Float[Tensor, "B T"], weights: Float[Tensor, "B T T"]) -> Float[Tensor, "B T"]:
    """What reaches the output through one map: ``Σ_t read_t A_t·``.

    >>> row(torch.tensor([[0.0, 1.0]]), torch.tensor([[[1.0, 0.0], [0.3, 0.7]]]))
    tensor([[0.3000, 0.7000]])
    """
    return (read[:, None] @ weights).squeeze(1)


def mixed(weights: Float[Tensor, "B H T T"], residual: float) -> Float[Tensor, "B T T"]:
    """``(1 − r)·mean_heads A + r·I``: attention beside the residual connection.

    >>> mixed(torch.tensor([[[[1.0, 0.0], [1.0, 0.0]]]]), 0.5)
    tensor([[[1.0000, 0.0000],
             [0.5000, 0.5000]]])
    """
    itself = torch.eye(weights.shape[-1], dtype=weights.dtype, device=weights.device)
    return (1.0 - residual) * weights.mean(1) + residual * itself


def input_scores(scores: Float[Tensor, "B T"], batch: Batch) -> Float[Tensor, "B P"]:
    """The scores of the input's positions: those that the model added are dropped, holes are 0.

    >>> batch = Batch(torch.ones(1, 2, dtype=torch.long), torch.tensor([[True, False]]))
    >>> input_scores(torch.tensor([[0.5, 0.2, 0.3]]), batch)
    tensor([[0.5000, 0.0000]])
    """
    return scores[..., : batch.mask.shape[-1]] * batch.mask


def check_residual(who: str, residual: float) -> None:
    """Refuse a share of the residual connection outside [0, 1]."""
    if not 0.0 <= residual <= 1.0:
        raise BadSetting(f"{who}: expected residual to be from 0 to 1, but got {residual}")


def check_head(who: str, head: int | None) -> None:
    """Refuse a head that no model has."""
    if head is not None and head < 0:
        raise BadSetting(f"{who}: expected head to be none, 0 or more, but got {head}")
