"""Planted interactions as a named set: always there, nothing to download."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from holdfast.data.interaction.held_out import Length
from holdfast.data.interaction.named import NamedHistories
from holdfast.data.interaction.planted import planted_histories
from holdfast.data.interaction.sets.base import InteractionSet


@dataclass(frozen=True)
class PlantedPlays(InteractionSet):
    """Generated histories whose next item is caused by one known item: the first part of its series."""

    name: ClassVar[str] = "planted-plays"
    about: ClassVar[str] = "generated histories whose next item has a known cause: 600 users, 140 items"

    length: Length = 12
    samples: int = 6
    users: int = 600
    items: int = 140
    seed: int = 0

    def histories(self, files: Mapping[str, Path]) -> NamedHistories:
        """Generate the histories; ``files`` is empty."""
        return planted_histories(self.users, self.items, self.seed)
