"""Games at Steam, as SASRec prepared them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from holdfast.data.interaction.sets.base import FilteredSet, Prepared


@dataclass(frozen=True)
class Steam(Prepared, FilteredSet):
    """Kang and McAuley 2018; users and items with fewer than 5 interactions were dropped once."""

    name: ClassVar[str] = "steam"
    about: ClassVar[str] = "games at Steam that users reviewed: 334,730 users, 13,047 items"
    home: ClassVar[str] = (
        "the file Steam.txt of SASRec (github.com/kang205/SASRec), lines 'user item' in the order of time"
    )
    files: ClassVar[Mapping[str, tuple[str, ...]]] = {"interactions": ("steam/Steam.txt",)}
