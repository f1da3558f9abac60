"""Beauty products at Amazon, as SASRec prepared them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from holdfast.data.interaction.sets.base import FilteredSet, Prepared


@dataclass(frozen=True)
class AmazonBeauty(Prepared, FilteredSet):
    """He and McAuley 2016; users and items with fewer than 5 interactions were dropped once."""

    name: ClassVar[str] = "amazon-beauty"
    about: ClassVar[str] = "Amazon beauty products that users reviewed: 52,024 users, 57,289 items"
    home: ClassVar[str] = (
        "the file Beauty.txt of SASRec (github.com/kang205/SASRec), lines 'user item' in the order of time"
    )
    files: ClassVar[Mapping[str, tuple[str, ...]]] = {"interactions": ("amazon-beauty/Beauty.txt",)}
