"""What a recommender's training minimises at each position: the item that came next, against others.

``h`` are the states (B, T, d), ``e_i`` item vectors; the score of item i is ``h·e_i``.
"""

from typing import Literal

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting

Loss = Literal["bce", "sampled", "softmax"]
LOWEST = -1e9  # the score of item 0, which is none: finite, and never among the best


def scores(
    hidden: Float[Tensor, "*B d"], table: Float[Tensor, "V d"], items: Int[Tensor, "*B C"]
) -> Float[Tensor, "*B C"]:
    """``h·e_i`` of the items of each row; item 0 scores lowest.

    >>> scores(torch.ones(1, 2), torch.tensor([[0.0, 0.0], [1.0, 2.0]]), torch.tensor([[1, 0]]))
    tensor([[ 3.0000e+00, -1.0000e+09]])
    """
    products = (F.embedding(items, table) @ hidden[..., None]).squeeze(-1)
    return products.masked_fill(items == 0, LOWEST)


def all_scores(hidden: Float[Tensor, "N d"], table: Float[Tensor, "V d"]) -> Float[Tensor, "N V"]:
    """``h·e_i`` of every item; item 0 scores lowest.

    >>> all_scores(torch.ones(1, 2), torch.tensor([[0.0, 0.0], [1.0, 2.0]]))
    tensor([[-1.0000e+09,  3.0000e+00]])
    """
    none = torch.arange(table.shape[0], device=table.device) == 0
    return (hidden @ table.mT).masked_fill(none, LOWEST)


def bce(
    hidden: Float[Tensor, "B T d"],
    table: Float[Tensor, "V d"],
    following: Int[Tensor, "B T"],
    negatives: Int[Tensor, "B T K"],
) -> Float[Tensor, "B T"]:
    """``−log σ(h·e₊) − mean_k log(1 − σ(h·e_k))``: binary cross-entropy (Kang & McAuley 2018).

    >>> bce(torch.zeros(1, 1, 2), torch.ones(3, 2), torch.tensor([[1]]), torch.tensor([[[2]]]))
    tensor([[1.3863]])
    """
    products = _raw(hidden, table, torch.cat([following[..., None], negatives], -1))
    return F.softplus(-products[..., 0]) + F.softplus(products[..., 1:]).mean(-1)


def sampled(
    hidden: Float[Tensor, "B T d"],
    table: Float[Tensor, "V d"],
    following: Int[Tensor, "B T"],
    negatives: Int[Tensor, "B T K"],
) -> Float[Tensor, "B T"]:
    """``−log softmax(h·e₊, h·e_1, …, h·e_K)₊``: softmax over the item and the negatives.

    >>> sampled(torch.zeros(1, 1, 2), torch.ones(3, 2), torch.tensor([[1]]), torch.tensor([[[2]]]))
    tensor([[0.6931]])
    """
    products = _raw(hidden, table, torch.cat([following[..., None], negatives], -1))
    return products.logsumexp(-1) - products[..., 0]


def softmax(
    hidden: Float[Tensor, "B T d"], table: Float[Tensor, "V d"], following: Int[Tensor, "B T"]
) -> Float[Tensor, "B T"]:
    """``−log softmax(h·e_1, …, h·e_V)₊``: softmax over all items.

    >>> softmax(torch.zeros(1, 1, 2), torch.ones(3, 2), torch.tensor([[1]]))
    tensor([[0.6931]])
    """
    logits = all_scores(hidden.flatten(0, 1), table)
    return F.cross_entropy(logits, following.flatten(), reduction="none").view(following.shape)


def no_weights(weights: Float[Tensor, "C"] | None) -> None:
    """Refuse weights of classes: what these models predict are items."""
    if weights is not None:
        raise BadSetting(
            "class weights: expected a model that predicts classes, but this recommender ranks items: leave "
            "class_balanced out"
        )


def _raw(hidden: Tensor, table: Tensor, items: Tensor) -> Tensor:
    # products by hand: thousands of matrix products with a handful of rows each cost twice as much
    return (F.embedding(items, table) * hidden[..., None, :]).sum(-1)
