"""Networks as they start, which explain what trained members explain.

Of 16 draws in two groups each row is explained by one of every group, which its seat chooses, so that batches
are full and together they cost what two members cost. What they differ by on the same rows tells the error
that so few of them cause. Their seeds are never those of trained
members.
"""

from jaxtyping import Int
from torch import Tensor

from holdfast.core.records import Member
from holdfast.data.base import Split
from holdfast.train.seats import turns

FIRST, GROUPS, EACH = 1_000_000, 2, 8

UNTRAINED = tuple(Member(FIRST + EACH * group) for group in range(GROUPS))  # a group goes by its first draw


def group_of(member: Member) -> int | None:
    """The group that goes by this member's name; None for a member that is trained.

    >>> [group_of(member) for member in (*UNTRAINED, Member(3))]
    [0, 1, None]
    """
    return (member.seed - FIRST) // EACH if member.seed >= FIRST else None


def shares(split: Split, rows: Int[Tensor, "N"]) -> list[Int[Tensor, "n"]]:
    """The places in ``rows`` that each draw of a group explains."""
    own = turns(split, rows, EACH)
    return [(own == draw).nonzero()[:, 0] for draw in range(EACH)]


def draw_of(group: Member, draw: int) -> Member:
    """One of the networks of a group."""
    return Member(group.seed + draw)
