"""The items of a history that speak for a recommendation, and how many seeds agree."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

REASONS = 3


@dataclass(frozen=True)
class Reason:
    """An item of the history: its part of all that the seeds together count, and how many seeds agree that it
    is one of the first reasons."""

    item: str
    share: float
    agree: int


def reasons(scores: Float[Tensor, "M T"], names: tuple[str, ...], first: int = REASONS) -> tuple[Reason, ...]:
    """The items whose scores over members are highest, each with how many members agree. One that does not
    speak for it by the mean *and* in most members is none, nor one that nobody has among the first.

    >>> [one] = reasons(torch.tensor([[0.9, -0.1], [0.5, -0.5]]), ("rain", "sun"))
    >>> one.item, one.agree, round(one.share, 2)
    ('rain', 2, 0.7)
    """
    parts = scores.double() / scores.double().abs().sum(1, keepdim=True).clamp(min=1e-12)
    together = parts.mean(0)
    named = _first(parts, first)
    speaks = (together > 0) & ((parts > 0).double().mean(0) > 0.5) & named.any(0)
    order = [place for place in together.argsort(descending=True, stable=True).tolist() if speaks[place]]
    return tuple(
        Reason(names[place], float(together[place]), int(named[:, place].sum())) for place in order[:first]
    )


def by_item(
    items: Int[Tensor, "T"], scores: Float[Tensor, "M T"]
) -> tuple[Int[Tensor, "U"], Float[Tensor, "M U"]]:
    """Every item of a history once, with the sum of its scores: a reader knows it by its name alone.

    >>> [part.tolist() for part in by_item(torch.tensor([7, 3, 7]), torch.tensor([[1.0, 2.0, 4.0]]))]
    [[3, 7], [[2.0, 5.0]]]
    """
    known, place = torch.unique(items, return_inverse=True)
    return known, scores.new_zeros(len(scores), len(known)).index_add(1, place, scores)


def _first(parts: Float[Tensor, "M T"], first: int) -> Bool[Tensor, "M T"]:
    """Which items each member has among its own first, of those that speak for it."""
    places = parts.argsort(dim=1, descending=True, stable=True)[:, :first]
    return torch.zeros_like(parts, dtype=torch.bool).scatter(1, places, True) & (parts > 0)


def named_most(scores: Float[Tensor, "M U"]) -> tuple[int, int]:
    """The place that most members give the largest absolute score, and how many do.

    >>> named_most(torch.tensor([[1.0, -3.0], [2.0, 1.0], [0.0, 1.0]]))
    (1, 2)
    """
    counts = scores.abs().argmax(1).bincount()
    return int(counts.argmax()), int(counts.max())
