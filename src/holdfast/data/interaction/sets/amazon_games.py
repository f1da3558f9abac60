"""Video games at Amazon, as SASRec prepared them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from holdfast.data.interaction.sets.base import FilteredSet, Prepared


@dataclass(frozen=True)
class AmazonGames(Prepared, FilteredSet):
    """He and McAuley 2016; users and items with fewer than 5 interactions were dropped once."""

    name: ClassVar[str] = "amazon-games"
    about: ClassVar[str] = (
        "Amazon video games that users reviewed: 31,013 users, 23,715 items, 287,107 interactions"
    )
    home: ClassVar[str] = (
        "the file Video.txt of SASRec (github.com/kang205/SASRec), lines 'user item' in the order of time"
    )
    files: ClassVar[Mapping[str, tuple[str, ...]]] = {"interactions": ("amazon-games/Video.txt",)}
