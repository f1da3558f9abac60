"""What the gradient explainers share: the slope of the log-odds, and one batch many times over."""

from collections.abc import Iterator

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.func import vjp

from holdfast.core.records import Batch, Edit
from holdfast.explain.base import log_odds
from holdfast.models.base import Run


def slope(
    run: Run, batch: Batch, target: Int[Tensor, "B"], embedded: Float[Tensor, "B T D"]
) -> Float[Tensor, "B T D"]:
    """``∂ log-odds(target) / ∂ embedded`` at ``embedded``, the graph not cut anywhere."""

    def total(at: Tensor) -> Tensor:
        return log_odds(run(batch, Edit(embedded=at)).logits, target).sum()

    value, back = vjp(total, embedded)[:2]
    # not `grad`, which keeps the graph of the backward pass as well: nobody asks for the slope's own slope
    slopes: Tensor = back(torch.ones_like(value), retain_graph=False, create_graph=False)[0]
    return slopes


def repeat(batch: Batch, times: int) -> Batch:
    """The whole batch, ``times`` times one after the other.

    >>> import torch
    >>> len(repeat(Batch(torch.ones(2, 3, dtype=torch.long), torch.ones(2, 3, dtype=torch.bool)), 4))
    8
    """
    return batch.map(lambda tensor: tensor.expand(times, *tensor.shape).flatten(0, 1))


def pieces(count: int, rows: int, chunk: int) -> Iterator[slice]:
    """Cut ``count`` copies of a batch of ``rows`` so that about ``chunk`` rows are worked on at once.

    >>> list(pieces(5, rows=10, chunk=20))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    step = max(chunk // max(rows, 1), 1)
    for start in range(0, count, step):
        yield slice(start, min(start + step, count))
