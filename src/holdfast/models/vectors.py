"""Word vectors: the table that training starts from, and how it is read."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from holdfast.data.base import Task

PAD = 0
SPREAD = 0.1  # of word vectors drawn where none is known


def embedding(task: Task, dim: int) -> nn.Embedding:
    """The layer that holds the table."""
    table = word_vectors(task, dim)
    return nn.Embedding(table.shape[0], table.shape[1], _weight=table)


def look_up(
    table: nn.Embedding, words: Int[Tensor, "B T"], mask: Bool[Tensor, "B T"]
) -> Float[Tensor, "B T D"]:
    """The vectors of the words; holes are 0."""
    # multiplied by the mask instead of `padding_idx`, which protects only one member's row under vmap
    return F.embedding(words, table.weight) * mask[..., None]


def word_vectors(task: Task, dim: int) -> Float[Tensor, "V D"]:
    """The table that training starts from: known vectors as they are, the others drawn, padding zero.

    >>> known = torch.tensor([[0.0, 0.0], [0.0, 0.0], [3.0, 4.0]])
    >>> word_vectors(Task(3, ("no", "yes"), vectors=known), 5)[2]
    tensor([3., 4.])
    """
    if task.vectors is None:
        table = torch.randn(task.vocabulary, dim) * SPREAD
    else:
        known = task.vectors.ne(0).any(1)
        spread = task.vectors[known].std() if int(known.sum()) > 1 else SPREAD
        drawn = torch.randn_like(task.vectors) * spread
        table = torch.where(known[:, None], task.vectors, drawn)
    table[PAD] = 0.0
    return table
