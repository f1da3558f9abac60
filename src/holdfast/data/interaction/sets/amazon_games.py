"""Video games at Amazon, as SASRec prepared them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from holdfast.data.interaction.sets.base import FilteredSet, Prepared


@dataclass(frozen=True)
class AmazonGames(Prepared, FilteredSet):
    """He and McAuley 2016; users and items with fewer than 5 actions were dropped once."""

    name: ClassVar[str] = "amazon-games"
    about: ClassVar[str] = (
        "Amazon video games that users reviewed: 31,013 users, 23,715 items, 287,107 actions"
    )
    home: ClassVar[str] = (
        "the file Video.txt of SASRec (github.com/kang205/SASRec), lines 'user item' in the order of time"
    )
    files: ClassVar[Mapping[str, tuple[str, ...]]] = {"actions": ("amazon-games/Video.txt",)}
