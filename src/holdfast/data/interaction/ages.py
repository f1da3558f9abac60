"""How old users are, in the groups of MovieLens-1M."""

from collections.abc import Mapping
from pathlib import Path

import torch
from jaxtyping import Int
from torch import Tensor

from holdfast.core.errors import BadData
from holdfast.data.names import Names
from holdfast.data.reading import shown

GROUPS = (1, 18, 25, 35, 45, 50, 56)  # the youngest of each; 1 is under 18


def group(age: int) -> int:
    """The group of an age: the youngest age of it, 1 for anybody under 18.

    >>> group(7), group(24), group(56), group(80)
    (1, 18, 56, 56)
    """
    return max(first for first in GROUPS if first <= max(age, 1))


def ages_of(path: Path, users: Names, ages: Mapping[str, str]) -> Int[Tensor, "N"]:
    """The group of every user, by what the file says of each."""
    groups = []
    for user in users:
        if user not in ages:
            raise BadData(
                f"{path}: expected the age of every user, but there is no line of user {shown(user)}"
            )
        if not ages[user].isdecimal():
            raise BadData(
                f"{path}: expected the age of user {shown(user)} in years, but got {shown(ages[user])}"
            )
        groups.append(group(int(ages[user])))
    return torch.tensor(groups, dtype=torch.int32)
