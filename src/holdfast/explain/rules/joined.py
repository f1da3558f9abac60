"""Several products in one call: inputs side by side, weights side by side.

``[a, b] · [[v], [w]] = a v + b w`` and ``a · [v, w] = [a v, a w]``, for every operation whose axes are known
here: fewer and larger products. Any other operation is called once for each term.
"""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from holdfast.core.rules import matmul
from holdfast.models.image.convolution import along_rows
from holdfast.models.image.layers import same

Op = Callable[[Tensor, Tensor], Tensor]
Kind = Literal["plain", "up", "down", "square"]
MAKE: dict[Kind, Callable[[Tensor], Tensor]] = {
    "plain": lambda weight: weight,
    "up": lambda weight: weight.relu(),
    "down": lambda weight: (-weight).relu(),
    "square": lambda weight: weight.square(),
}
TURNED: dict[Kind, Kind] = {"up": "down", "down": "up", "square": "square"}


class Axes(NamedTuple):
    """The axes of an operation's inputs and outputs: in x, in the weight (both), in the result."""

    x: int
    into: int
    out: int
    y: int


PRODUCT, CONVOLUTION = Axes(x=-1, into=-2, out=-1, y=-1), Axes(x=-3, into=-3, out=-4, y=-3)
KNOWN: dict[Op, Axes] = {
    matmul: PRODUCT,
    along_rows: PRODUCT,
    same: CONVOLUTION,
    F.conv2d: CONVOLUTION,
}


class Term(NamedTuple):
    """``op(x, w)``, or with ``w⁺`` (up), ``(−w)⁺`` (down) or ``w²`` (square) for w."""

    op: Op
    x: Tensor
    weight: Tensor
    kind: Kind

    def turned(self) -> "Term":
        """With the other half of the weight; w² stays as it is."""
        return self._replace(kind=TURNED[self.kind])


class Weights:
    """Weights split by sign and joined, each made once per call: a recurrence reuses them at every step."""

    def __init__(self) -> None:
        self._made: dict[tuple[object, ...], tuple[list[Tensor], Tensor]] = {}

    def total(self, terms: Sequence[Term]) -> Tensor:
        """The sum of the terms.

        >>> w, a, b = torch.tensor([[1.0], [-2.0]]), torch.tensor([[3.0, 3.0]]), torch.tensor([[5.0, 5.0]])
        >>> Weights().total([Term(matmul, a, w, "up"), Term(matmul, b, w, "down")])
        tensor([[13.]])
        """
        axes = _axes(terms)
        if axes is None:
            return sum_of([term.op(term.x, self._one(term)) for term in terms])
        return terms[0].op(_inputs(terms, axes), self._joined(terms, axes))

    def both(self, terms: Sequence[Term]) -> tuple[Tensor, Tensor]:
        """The sum of the terms, and of the terms turned."""
        axes, turned = _axes(terms), [term.turned() for term in terms]
        if axes is None:
            return self.total(terms), self.total(turned)

        def make() -> Tensor:
            return torch.cat([self._joined(each, axes) for each in (terms, turned)], axes.out)

        joined = self._once("both", terms, make)
        return terms[0].op(_inputs(terms, axes), joined).chunk(2, axes.y)  # type: ignore[return-value]

    def _one(self, term: Term) -> Tensor:
        return self._once("one", [term], lambda: MAKE[term.kind](term.weight))

    def _joined(self, terms: Sequence[Term], axes: Axes) -> Tensor:
        if len(terms) == 1:
            return self._one(terms[0])

        def make() -> Tensor:
            # a weight may read its inputs several times, in blocks: join block by block
            blocks = [
                torch.unflatten(self._one(term), axes.into, (-1, term.x.shape[axes.x])) for term in terms
            ]
            return torch.cat(blocks, axes.into).flatten(axes.into - 1, axes.into)

        return self._once("joined", terms, make)

    def _once(self, how: str, terms: Sequence[Term], make: Callable[[], Tensor]) -> Tensor:
        key = (how, *((id(term.weight), term.kind) for term in terms))
        if key not in self._made:
            # keep the weights alive: a freed tensor's id could later belong to another one
            self._made[key] = [term.weight for term in terms], laid(make())
        return self._made[key][1]


def laid(weight: Tensor) -> Tensor:
    """The weight itself; that of a convolution on a CPU with its channels last in memory.

    oneDNN's backward pass through a convolution of few channels is then three to four times as fast.

    >>> laid(torch.zeros(6, 2, 5, 5)).stride()
    (50, 1, 10, 2)
    """
    if weight.dim() != 4 or weight.device.type != "cpu":
        return weight
    # not by `memory_format`, which vmap does not know
    return weight.movedim(-3, -1).contiguous().movedim(-1, -3)


def sum_of(terms: Sequence[Tensor]) -> Tensor:
    """The sum of at least one tensor, without the 0 that ``sum`` starts from."""
    whole = terms[0]
    for term in terms[1:]:
        whole = whole + term
    return whole


def _axes(terms: Sequence[Term]) -> Axes | None:
    """The axes to join, if all terms have the same operation and its axes are known."""
    op = terms[0].op
    return KNOWN.get(op) if all(term.op is op for term in terms) else None


def _inputs(terms: Sequence[Term], axes: Axes) -> Tensor:
    return terms[0].x if len(terms) == 1 else torch.cat([term.x for term in terms], axes.x)
