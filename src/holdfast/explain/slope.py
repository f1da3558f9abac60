"""What the gradient explainers share: the slope of what they explain, and one batch many times over."""

from collections.abc import Callable, Iterator

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.func import vjp

from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Edit
from holdfast.core.rules import Rules
from holdfast.models.run import Run

Explained = Callable[[Run, Tensor, Tensor], Tensor]


def odds(run: Run, logits: Float[Tensor, "B C"], target: Int[Tensor, "B"]) -> Float[Tensor, "B"]:
    """The explained score: the log-odds of the target class, or an item's score."""
    return run.explained(logits, target)


def evidence(run: Run, logits: Float[Tensor, "B C"], target: Int[Tensor, "B"]) -> Float[Tensor, "B"]:
    """The evidence for the target class alone."""
    return run.evidence(logits).gather(1, target[:, None])[:, 0]


def ruled(run: Run, logits: Float[Tensor, "B C"], target: Int[Tensor, "B"]) -> Float[Tensor, "B"]:
    """The same from a pass under rules, whose logits are evidence already."""
    return logits.gather(1, target[:, None])[:, 0]


def slope(
    run: Run,
    batch: Batch,
    target: Int[Tensor, "B"],
    embedded: Float[Tensor, "B T ..."],
    explained: Explained = odds,
    rules: Rules | None = None,
) -> Float[Tensor, "B T ..."]:
    """``∂ explained(target) / ∂ embedded`` at ``embedded``; only ``rules`` may cut the graph."""
    return ascend(run, batch, target, embedded, explained, rules)[1]


def ascend(
    run: Run,
    batch: Batch,
    target: Int[Tensor, "B"],
    embedded: Tensor,
    explained: Explained,
    rules: Rules | None,
) -> tuple[Float[Tensor, "B"], Tensor]:
    """The explained score, and its gradient."""

    def total(at: Tensor) -> tuple[Tensor, Tensor]:
        each = explained(run, run(batch, Edit(embedded=at, rules=rules)).logits, target)
        return each.sum(), each

    if not run.model.smooth:
        raise BadSetting(
            "expected a model with gradients, but got trees, which are made of steps: choose shapley, "
            "leave_one_out or permutation"
        )
    if not torch._C._are_functorch_transforms_active():
        return _alone(total, embedded)
    value, back, each = vjp(total, embedded, has_aux=True)  # type: ignore[misc]
    # not `grad`, which also keeps the graph of the backward pass: second derivatives are never needed
    slopes: Tensor = back(torch.ones_like(value), retain_graph=False, create_graph=False)[0]
    return each, slopes


def _alone(total: Callable[[Tensor], tuple[Tensor, Tensor]], at: Tensor) -> tuple[Tensor, Tensor]:
    """The same outside ``vmap``, by ordinary autograd, which is 10 % faster."""
    with torch.enable_grad():
        leaf = at.detach().requires_grad_()
        value, each = total(leaf)
        (slopes,) = torch.autograd.grad(value, leaf)
    return each.detach(), slopes


def repeat(batch: Batch, times: int) -> Batch:
    """The whole batch, ``times`` times one after the other.

    >>> import torch
    >>> len(repeat(Batch(torch.ones(2, 3, dtype=torch.long), torch.ones(2, 3, dtype=torch.bool)), 4))
    8
    """
    return batch.map(lambda tensor: tensor.expand(times, *tensor.shape).flatten(0, 1))


def pieces(count: int, rows: int, chunk: int) -> Iterator[slice]:
    """Cut ``count`` copies of a batch of ``rows`` so that about ``chunk`` rows are computed at once.

    >>> list(pieces(5, rows=10, chunk=20))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    step = max(chunk // max(rows, 1), 1)
    for start in range(0, count, step):
        yield slice(start, min(start + step, count))
