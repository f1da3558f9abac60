"""Shares of the parts of an example, in percent: what is changed at each step of a probe."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting

Shares = tuple[int | float, ...]
SHARES: Shares = (1, 5, 10, 20, 50)


def check_shares(name: str, shares: Shares) -> None:
    """Refuse what is no percentage of the parts, or none at all.

    >>> check_shares("sufficiency", (0, 5))
    Traceback (most recent call last):
    ...
    holdfast.core.errors.BadSetting: sufficiency: expected shares to be percentages above 0 and at most 100, \
such as 1+5+10, but got 0+5
    """
    if not shares or not all(0 < share <= 100 for share in shares):
        came = "+".join(map(str, shares)) or "none"
        wanted = "percentages above 0 and at most 100, such as 1+5+10"
        raise BadSetting(f"{name}: expected shares to be {wanted}, but got {came}")


def counts_of(parts: Float[Tensor, "*I K"], shares: Shares) -> list[Int[Tensor, "*I 1"]]:
    """How many of the parts that exist each share is, rounded up.

    >>> [int(count) for count in counts_of(torch.tensor([0.0, 0.0, 0.0, -torch.inf]), (5, 50, 100))]
    [1, 2, 3]
    """
    exist = (parts > -torch.inf).sum(-1, keepdim=True)
    return [torch.ceil(exist * (share / 100) - 1e-9).long() for share in shares]
