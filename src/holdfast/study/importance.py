"""Which positions weigh most over all examples, where all have the same: the columns of a table."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.records import Explanation
from holdfast.measure.pairing import over_members
from holdfast.measure.reduce import over_pairs, spread
from holdfast.measure.strongest import same_strongest
from holdfast.study.measurement import Measurement

FLOOR, COMPARISON = "random", "spearman"
MOST = 50  # columns that get a row


def importance(explanation: Explanation) -> Float[Tensor, "M T"]:
    """Each position's mean |score| over the examples, as a share of that of all positions.

    >>> from holdfast.core.records import Member
    >>> scores = torch.tensor([[[1.0, -1.0], [2.0, 0.0]]])
    >>> about = (scores[0] > -9, torch.tensor([0, 0]), (Member(0),), "mine", True)
    >>> importance(Explanation(scores, *about))
    tensor([[0.7500, 0.2500]], dtype=torch.float64)
    """
    weight = explanation.scores.double().abs().sum(1)
    return weight / weight.sum(1, keepdim=True).clamp(min=1e-300)


def importance_rows(
    explanations: Mapping[str, Explanation],
    names: Sequence[str],
    row: Callable[..., Measurement],
    compared: bool,
) -> Iterator[Measurement]:
    """The columns that weigh most by each explainer and, where members can be ``compared``, how stable their
    ranking is."""
    for name, explanation in explanations.items():
        if name == FLOOR:
            continue
        table = importance(explanation)
        for place in table.mean(0).argsort(descending=True, stable=True)[:MOST].tolist():
            about = {"by": "column", "bin": names[place], "at": float(place)}
            yield row("importance", spread(table[:, place]), explainer=name, **about)
        if compared:
            yield from _stability(name, explanation, table, row)


def _stability(
    name: str, explanation: Explanation, table: Float[Tensor, "M T"], row: Callable[..., Measurement]
) -> Iterator[Measurement]:
    """How alike the members' rankings are, and how often two of them name the same column first."""
    known = torch.ones(1, table.shape[1], dtype=torch.bool)
    whole = Explanation(
        table[:, None], known, torch.zeros(1, dtype=torch.long), explanation.members, name, signed=False
    )
    alike = over_pairs(over_members(whole, make("comparisons", COMPARISON)))
    yield row("ranking", alike, explainer=name, comparison=COMPARISON)
    first = same_strongest(whole)
    if first is not None:
        yield row("ranking_first", first.value, explainer=name, n=first.n)
