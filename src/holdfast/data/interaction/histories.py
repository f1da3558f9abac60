"""What users did, each in the order of time, as one flat tensor."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import torch
from jaxtyping import Bool, Float, Int, Shaped
from torch import Tensor

from holdfast.data.interaction.ratings import LIKED, STARS


@dataclass(frozen=True, eq=False)
class Histories:
    """Histories end to end: that of user ``u`` is ``ids[offsets[u] : offsets[u + 1]]``, oldest first.

    Items are numbers from 1; 0 is none. ``ratings`` are what the users gave for them, where that is known
    (NaN: not for this one).

    >>> some = Histories(torch.tensor([5, 6, 7, 8], dtype=torch.int32), torch.tensor([0, 1, 4]))
    >>> some.lengths, some.of(1).tolist()
    (tensor([1, 3]), [6, 7, 8])
    """

    ids: Int[Tensor, "L"]
    offsets: Int[Tensor, "N1"]
    ratings: Float[Tensor, "L"] | None = None

    @cached_property
    def lengths(self) -> Int[Tensor, "N"]:
        """How many interactions each user has."""
        return self.offsets.diff()

    @property
    def starts(self) -> Int[Tensor, "N"]:
        """Where each history begins."""
        return self.offsets[:-1]

    @property
    def ends(self) -> Int[Tensor, "N"]:
        """Where each history ends (the place after its last interaction)."""
        return self.offsets[1:]

    def of(self, user: int) -> Int[Tensor, "n"]:
        """The whole history of one user."""
        return self.ids[int(self.offsets[user]) : int(self.offsets[user + 1])]

    @property
    def rated(self) -> bool:
        """Whether every interaction is rated in stars: on another scale, what is liked is not known."""
        if self.ratings is None or bool(self.ratings.isnan().any()):
            return False
        return LIKED <= float(self.ratings.max()) <= STARS

    def keep(self, users: Bool[Tensor, "N"]) -> "Histories":
        """Those of some users only."""
        lengths = self.lengths
        kept = users.repeat_interleave(lengths)
        offsets = torch.cat([lengths.new_zeros(1), lengths[users].cumsum(0)])
        return Histories(self.ids[kept], offsets, None if self.ratings is None else self.ratings[kept])

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def sizes(self, items: int) -> dict[str, float]:
        """The numbers of users, items and interactions, the median number of interactions per item and per
        user, and the percentage of user-item pairs that occur.

        >>> Histories(torch.tensor([1, 2, 1, 1]), torch.tensor([0, 1, 4])).sizes(2)["density"]
        100.0
        """
        users, interactions = len(self), len(self.ids)
        per_item = torch.bincount(self.ids.long(), minlength=items + 1)[1:]
        return {
            "users": float(users),
            "items": float(items),
            "actions": float(interactions),
            "median_per_item": float(per_item.double().quantile(0.5)),
            "median_per_user": float(self.lengths.double().quantile(0.5)),
            "density": 100.0 * interactions / (users * items),
        }

    def tensors(self) -> dict[str, Tensor]:
        """What :meth:`read` needs, to be saved."""
        rated = {} if self.ratings is None else {"histories.ratings": self.ratings}
        return {"histories.ids": self.ids, "histories.offsets": self.offsets} | rated

    @classmethod
    def read(cls, tensors: Mapping[str, Tensor]) -> "Histories":
        """The inverse of :meth:`tensors`."""
        ratings = tensors.get("histories.ratings")
        return cls(tensors["histories.ids"], tensors["histories.offsets"], ratings)


def aligned(
    values: Shaped[Tensor, "L"], low: Int[Tensor, "B"], high: Int[Tensor, "B"], length: int
) -> tuple[Shaped[Tensor, "B n"], Bool[Tensor, "B n"]]:
    """The latest ``length`` of ``values[low : high]``, ending in the last column, and where they are.

    >>> aligned(torch.tensor([1, 2, 3, 4]), torch.tensor([0, 1]), torch.tensor([1, 4]), 2)
    (tensor([[0, 1],
            [3, 4]]), tensor([[False,  True],
            [ True,  True]]))
    """
    place = high[:, None] + torch.arange(-length, 0, device=high.device)
    inside = place >= low[:, None]
    return torch.where(inside, values[place.clamp(min=0)], values.new_zeros(())), inside
