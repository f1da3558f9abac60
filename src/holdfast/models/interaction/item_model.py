"""Recommenders that have a vector for each item, and some for each user."""

from collections.abc import Mapping

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.models.base import Model


class ItemModel(Model):
    """A model that says which of its parameters are the vectors of items and of users.

    Each has a row for every item (row 0: none) or user. Where there are several, an item is known by all of
    them, side by side.
    """

    @property
    def item_vectors(self) -> tuple[str, ...]:
        """The parameters that are the vectors of items."""
        return ("embedding.weight",)

    @property
    def user_vectors(self) -> tuple[str, ...]:
        """The parameters that are the vectors of users; none where a user is known by the history."""
        return ()


def items_of(model: Model, parameters: Mapping[str, Tensor]) -> Float[Tensor, "M I d"] | None:
    """The vectors of every item by each member, that of item 1 first; None of a model that has none."""
    names = model.item_vectors if isinstance(model, ItemModel) else ()
    joined = _joined(names, parameters)
    return None if joined is None else joined[:, 1:]


def users_of(model: Model, parameters: Mapping[str, Tensor]) -> Float[Tensor, "M U d"] | None:
    """The vectors of every user by each member; None of a model that has none."""
    return _joined(model.user_vectors if isinstance(model, ItemModel) else (), parameters)


def _joined(names: tuple[str, ...], parameters: Mapping[str, Tensor]) -> Tensor | None:
    return torch.cat([parameters[name] for name in names], -1) if names else None
