"""The error that the draw of an impostor's networks causes."""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


class Drawn(NamedTuple):
    """Mean distances to an impostor that was drawn in several groups.

    ``turn`` says which draw of every group made an instance's: instances of one turn share their draws, and
    an error that they share does not average out over them.
    """

    each: Float[Tensor, "G B"]
    turn: Int[Tensor, "B"]

    def at(self, chosen: Bool[Tensor, "B"]) -> "Drawn":
        """Of some instances."""
        return Drawn(self.each[:, chosen], self.turn[chosen])

    def cpu(self) -> "Drawn":
        """The same in main memory."""
        return Drawn(self.each.cpu(), self.turn.cpu())

    def variance(self) -> float:
        """What other draws would change of the logarithm of the mean: ``Σ_b (n_b/n)² · s_b²/G / R̄²``, s_b²
        the variance between the groups' means over the ``n_b`` instances of turn b.

        Groups explain the same instances, so that their difference is the draws' alone. One group tells
        nothing.

        >>> one = Drawn(torch.tensor([[1.0, 1.0], [3.0, 1.0]]), torch.tensor([0, 1]))
        >>> one.variance()  # (1/2)² · 2/2 of the first turn, nothing of the second, by (3/2)²
        0.1111111111111111
        """
        groups, count = self.each.shape
        if groups < 2:
            return 0.0
        turns, place = torch.unique(self.turn, return_inverse=True)
        means = self.each.new_zeros(groups, len(turns)).double()
        means.index_add_(1, place, self.each.double() / count)  # already n_b/n of them
        return float(means.var(0).sum() / groups / means.sum(1).mean().square())
