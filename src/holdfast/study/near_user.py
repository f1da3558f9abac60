"""What the vectors of every seed say of one user, and of the items recommended to that user."""

from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.models.interaction.item_model import items_of, users_of
from holdfast.study.neighbours import (
    Neighbour,
    Neighbourhood,
    Taken,
    Who,
    agreeing,
    neighbourhood,
    neighbours,
    strata,
    taken,
)
from holdfast.study.reasons import REASONS
from holdfast.train.family import Family


class NearUser:
    """The neighbours of one user, to whom ``count`` items are recommended."""

    def __init__(self, family: Family, dataset: InteractionDataset, row: int, count: int) -> None:
        self.dataset, self.count = dataset, count
        self.history = sorted(set((dataset.histories.of(row).long() - 1).tolist()))
        self.vectors = items_of(family.model, family.parameters)
        users = users_of(family.model, family.parameters)
        self.nearest = None if users is None or users.shape[1] < 2 else neighbours(users, row)
        self.who = Who(dataset.histories, row)

    def users(self) -> Neighbourhood | None:
        """The users near this one; None where users have no vectors."""
        if self.nearest is None:
            return None
        return neighbourhood(self.nearest, self.who.stratum, self.dataset.user_name)

    def taken(self, item: int) -> Taken | None:
        """How many of them took an item."""
        return None if self.nearest is None else taken(self.nearest, self.who, item, self.count)

    def items(self, item: int) -> tuple[Neighbour, ...]:
        """The items of the history that are near one that is recommended."""
        if self.vectors is None or len(self.vectors[0]) < 2:
            return ()
        near = neighbours(self.vectors, item - 1)
        alike = strata(self.who.popularity(self.vectors.shape[1]))
        count = len(self.history) * self.count
        named = agreeing(near, alike, self.history, count, lambda place: self.dataset.item_name(place + 1))
        return named[:REASONS]
