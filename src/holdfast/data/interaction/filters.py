"""Users and items with few actions, dropped once or until none is left."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from holdfast.core.errors import BadData, BadSetting
from holdfast.core.settings import at_most
from holdfast.data.interaction.actions import Actions

How = Literal["none", "once", "core"]
HOWS = ("none", "once", "core")


@dataclass(frozen=True)
class Filter:
    """What to do about users and items with fewer than ``least`` actions.

    ``once`` keeps the actions whose user and whose item both have that many in the file as it is, as SASRec's
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


def thinned(actions: Actions, choice: Filter, name: str) -> tuple[Actions, list[str]]:
    """The actions that are left, and a sentence about those that are not."""
    left, passes = actions, 0
    while choice.how != "none" and (passes == 0 or choice.how == "core"):
        rows = _many(left, choice.least)
        if bool(rows.all()):
            break
        if not bool(rows.any()):
            raise BadData(
                f"'{name}': nothing is left of {len(actions):,} actions after dropping users and items with "
                f"fewer than {choice.least}: expected more data, a lower --least, or --filter none"
            )
        left, passes = left.keep(rows), passes + 1
    if not passes:
        return left, []
    how = "once" if choice.how == "once" else f"until none was left ({passes} times)"
    return left, [
        f"Users and items with fewer than {choice.least} actions were dropped {how}: "
        f"{len(left.users):,} of {len(actions.users):,} users, {len(left.items):,} of {len(actions.items):,} "
        f"items and {len(left):,} of {len(actions):,} actions are left."
    ]


def _many(actions: Actions, least: int) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    users = np.bincount(actions.user, minlength=len(actions.users)) >= least
    items = np.bincount(actions.item, minlength=len(actions.items)) >= least
    enough: np.ndarray[tuple[int], np.dtype[np.bool_]] = users[actions.user] & items[actions.item]
    return enough
