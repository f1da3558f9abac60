"""What is known of items or users beside what they did: the groups that each is in."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool
from torch import Tensor

from holdfast.core.errors import BadData, BadSetting
from holdfast.data.interaction.ages import GROUPS
from holdfast.data.interaction.dataset import InteractionDataset


@dataclass(frozen=True, eq=False)
class Attribute:
    """``inside[i, g]`` says whether thing ``i`` is in group ``groups[g]``: in none, in one, or in several.

    >>> kinds = Attribute.of("kind", [["horror"], ["action", "horror"], []])
    >>> kinds.groups, kinds.inside.int().tolist()
    (('action', 'horror'), [[0, 1], [1, 1], [0, 0]])
    """

    name: str
    groups: tuple[str, ...]
    inside: Bool[Tensor, "n g"]

    @classmethod
    def of(cls, name: str, known: Sequence[Sequence[str]], groups: Sequence[str] = ()) -> "Attribute":
        """From the groups of each thing; ``groups`` are all of them in their order (default: by name)."""
        order = tuple(groups) or tuple(sorted({group for each in known for group in each}))
        inside = torch.tensor([[group in each for group in order] for each in known], dtype=torch.bool)
        return cls(name, order, inside.view(len(known), len(order)))

    def only(self, *groups: str) -> "Attribute":
        """Some of the groups alone; what is in more than one of them is in none.

        >>> Attribute.of("kind", [["a"], ["a", "b"], ["c"]]).only("a", "b").inside.any(1).tolist()
        [True, False, False]
        """
        missing = [group for group in groups if group not in self.groups]
        if missing:
            known = ", ".join(self.groups)
            raise BadSetting(f"{self.name}: expected one of {known}, but got '{missing[0]}'")
        inside = self.inside[:, [self.groups.index(group) for group in groups]]
        return Attribute(self.name, groups, inside & (inside.sum(1, keepdim=True) == 1))


def genres(dataset: InteractionDataset) -> Attribute:
    """The genres of every item, item 1 first; refused where none is known."""
    if dataset.all_genres is None:
        raise BadData(
            f"'{dataset.name}' does not say what its items are: expected MovieLens with its file of films, "
            "movies.dat or u.item, beside the ratings"
        )
    return Attribute.of("genre", [dataset.genres(item) for item in range(1, len(dataset.items) + 1)])


def ages(dataset: InteractionDataset) -> Attribute:
    """The age group of every user."""
    known = [(age_name(int(age)),) for age in dataset.known_ages()]
    return Attribute.of("age", known, tuple(map(age_name, GROUPS)))


def age_name(group: int) -> str:
    """An age group as it is said.

    >>> age_name(1), age_name(25), age_name(56)
    ('under 18', '25 to 34', '56 and over')
    """
    after = [first for first in GROUPS if first > group]
    if not after:
        return f"{group} and over"
    return f"under {after[0]}" if group == GROUPS[0] else f"{group} to {after[0] - 1}"
