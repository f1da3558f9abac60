"""What the vectors of a recommender know of genres, ages, or anything else that it was never told."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.data.interaction.attributes import Attribute
from holdfast.measure.embedding import pca, tsne
from holdfast.measure.neighbours import Purity, purity
from holdfast.models.interaction.item_model import items_of, users_of
from holdfast.train.family import Family
from holdfast.train.untrained import FIRST

Of = Literal["items", "users"]
Space = Literal["full", "pca", "tsne"]
FLAT: dict[str, Callable[[Tensor], Tensor]] = {"pca": lambda one: pca(one).points, "tsne": tsne}


@dataclass(frozen=True)
class SpacePurity:
    """The purity of neighbours among all numbers of a vector (``full``) or in two dimensions; of ``trained``
    networks, or of as many as they start."""

    space: Space
    trained: bool
    purity: Purity


def space_purity(
    family: Family,
    attribute: Attribute,
    of: Of,
    ks: Sequence[int] = (10, 3),
    spaces: Sequence[Space] = ("full", "pca"),
) -> Iterator[SpacePurity]:
    """Are the nearest of the same group, in each space, more often than by chance and before training?

    All things are laid in the plane, also those of no group; t-SNE takes a minute for each member where there
    are thousands.
    """
    untrained = [Member(FIRST + place) for place in range(len(family.members))]
    for trained, one in (
        (True, family),
        (False, Family.init(family.architecture, family.task, untrained)),
    ):
        vectors = vectors_of(one, of)
        _check(vectors, attribute, of)
        for space in spaces:
            placed = vectors if space == "full" else torch.stack([FLAT[space](each) for each in vectors])
            for found in purity(placed, attribute.inside, attribute.groups, ks):
                yield SpacePurity(space, trained, found)


def vectors_of(family: Family, of: Of) -> Float[Tensor, "M n d"]:
    """The vectors of every item or user by each member."""
    look = items_of if of == "items" else users_of
    vectors = look(family.model, family.parameters)
    if vectors is None:
        raise BadSetting(f"this model has no vectors of {of}: choose one that has, such as gmf")
    return vectors.cpu()


def plane(family: Family, of: Of, member: int = 0, space: Literal["pca", "tsne"] = "pca") -> Tensor:
    """The vectors of one member in two dimensions."""
    return FLAT[space](vectors_of(family, of)[member])


def _check(vectors: Float[Tensor, "M n d"], attribute: Attribute, of: Of) -> None:
    if vectors.shape[1] != len(attribute.inside):
        raise BadSetting(
            f"{attribute.name}: expected that of {vectors.shape[1]:,} {of}, but got "
            f"{len(attribute.inside):,}: take the attribute of the family's own data"
        )
