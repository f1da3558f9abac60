"""Users and items with few interactions, dropped once or until none is left."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from holdfast.core.errors import BadData, BadSetting
from holdfast.core.settings import at_most
from holdfast.data.interaction.interactions import Interactions

How = Literal["none", "once", "core"]
HOWS = ("none", "once", "core")


@dataclass(frozen=True)
class Filter:
    """What to do about users and items with fewer than ``least`` interactions.

    ``once`` keeps the interactions whose user and whose item both have that many in the file, as SASRec's
    preparation did; afterwards some have fewer. ``core`` repeats that until nothing changes: the k-core.
    """

    how: How = "once"
    least: int = 5

    def __post_init__(self) -> None:
        if self.how not in HOWS:
            raise BadSetting(f"expected filter to be none, once or core, but got '{self.how}'")
        if self.least < 1:
            raise BadSetting(f"expected least to be 1 or more, but got {self.least}")
        at_most("expected least", self.least)


def thinned(interactions: Interactions, choice: Filter, name: str) -> tuple[Interactions, list[str]]:
    """The interactions that are left, and a sentence about those that are not."""
    left, passes = interactions, 0
    while choice.how != "none" and (passes == 0 or choice.how == "core"):
        rows = _many(left, choice.least)
        if bool(rows.all()):
            break
        if not bool(rows.any()):
            raise BadData(
                f"'{name}': nothing is left of {len(interactions):,} interactions after dropping users and "
                f"items with fewer than {choice.least}: expected more data, a lower --least, or --filter none"
            )
        left, passes = left.keep(rows), passes + 1
    if not passes:
        return left, []
    how = "once" if choice.how == "once" else f"until none was left ({passes} times)"
    return left, [
        f"Users and items with fewer than {choice.least} interactions were dropped {how}: "
        f"{len(left.users):,} of {len(interactions.users):,} users, "
        f"{len(left.items):,} of {len(interactions.items):,} items "
        f"and {len(left):,} of {len(interactions):,} interactions are left."
    ]


def _many(interactions: Interactions, least: int) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    users = np.bincount(interactions.user, minlength=len(interactions.users)) >= least
    items = np.bincount(interactions.item, minlength=len(interactions.items)) >= least
    enough: np.ndarray[tuple[int], np.dtype[np.bool_]] = users[interactions.user] & items[interactions.item]
    return enough
