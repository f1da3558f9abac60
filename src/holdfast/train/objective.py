"""What training optimises, and what early stopping watches."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.models.base import Model
from holdfast.models.run import Run
from holdfast.train.repair import Repair, Tensors


def objective(
    model: Model, repair: Repair, parameters: Tensors, batch: Batch, noise: Tensors, memory: Tensors
) -> Tensor:
    """One member's loss on one batch: the weighted mean over its examples."""
    losses = repair.losses(Run(model, parameters), batch, noise, memory)
    assert batch.weight is not None
    return (losses * batch.weight).sum() / batch.weight.sum()


def watched(logits: Float[Tensor, "*M N C"], targets: Int[Tensor, "N"]) -> Float[Tensor, "*M"]:
    """What early stopping watches on the validation split: ROC-AUC for two classes, else accuracy.

    >>> watched(torch.tensor([[0.0, -1.0], [0.0, 2.0], [0.0, 1.0]]), torch.tensor([0, 1, 0]))
    tensor(1., dtype=torch.float64)
    """
    if logits.shape[-1] == 2 and 0 < int(targets.sum()) < len(targets):
        return roc_auc((logits[..., 1] - logits[..., 0]).double(), targets)
    return accuracy(logits, targets)


def accuracy(probabilities: Float[Tensor, "*M N C"], targets: Int[Tensor, "N"]) -> Float[Tensor, "*M"]:
    """Share of examples whose most probable class is the true one.

    >>> accuracy(torch.tensor([[0.2, 0.8], [0.9, 0.1]]), torch.tensor([1, 1]))
    tensor(0.5000, dtype=torch.float64)
    """
    return (probabilities.argmax(-1) == targets).double().mean(-1)


def margin(logits: Float[Tensor, "M N C"]) -> Float[Tensor, "M N"]:
    """The log-odds of two classes; of more, the log-probability of the top one.

    >>> margin(torch.tensor([[[1.0, 3.0]]]))
    tensor([[2.]])
    """
    if logits.shape[-1] == 2:
        return logits[..., 1] - logits[..., 0]
    return logits.log_softmax(-1).max(-1).values


def hits(
    logits: Float[Tensor, "*M N C"], targets: Int[Tensor, "N"], first: int | None = None
) -> Float[Tensor, "*M"]:
    """How often the target is among the ``first`` of the candidates; recall@10 % where that is left out.

    An equal candidate stands before the target, so that a model that knows nothing finds nothing.

    >>> hits(torch.tensor([[0.5, 0.1, 0.9], [0.2, 0.2, 0.1]]), torch.tensor([0, 0]), first=2)
    tensor(1., dtype=torch.float64)
    """
    return (candidate_ranks(logits, targets) <= (first or top_decile(logits.shape[-1]))).double().mean(-1)


def candidate_ranks(scores: Float[Tensor, "*M N C"], targets: Int[Tensor, "N"]) -> Int[Tensor, "*M N"]:
    """The place (from 1) of each target among its candidates; an equal one stands before it.

    >>> candidate_ranks(torch.tensor([[0.5, 0.1, 0.9], [0.2, 0.2, 0.1]]), torch.tensor([0, 0]))
    tensor([2, 2])
    """
    score = scores.gather(-1, targets.to(scores.device)[:, None].expand(*scores.shape[:-1], 1))
    return (scores >= score).sum(-1)


def top_decile(candidates: int) -> int:
    """How many candidates are the top 10 %, rounded down, at least one.

    >>> top_decile(101), top_decile(28), top_decile(4)
    (10, 2, 1)
    """
    return max(1, candidates // 10)


def roc_auc(scores: Float[Tensor, "*M N"], targets: Int[Tensor, "N"]) -> Float[Tensor, "*M"]:
    """Area under the ROC curve by ranks (Mann–Whitney); ties count one half.

    >>> roc_auc(torch.tensor([0.1, 0.4, 0.35, 0.8]), torch.tensor([0, 0, 1, 1]))
    tensor(0.7500)
    """
    ordered = scores.sort(-1).values
    below = torch.searchsorted(ordered, scores.contiguous(), side="left")
    through = torch.searchsorted(ordered, scores.contiguous(), side="right")
    ranks = (below + through + 1).to(scores.dtype) / 2
    positive = (targets == 1).to(scores.dtype)
    n1 = positive.sum()
    n0 = len(targets) - n1
    return ((ranks * positive).sum(-1) - n1 * (n1 + 1) / 2) / (n0 * n1)
