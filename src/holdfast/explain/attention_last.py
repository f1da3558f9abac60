"""Attention of the last block as an explanation."""

from dataclasses import dataclass
from typing import ClassVar

from holdfast.explain.attention_first import AttentionFirst


@dataclass(frozen=True)
class AttentionLast(AttentionFirst):
    """``Σ_t read_t A⁽b⁾_tj``, A⁽b⁾ the mean over heads of the last block's map (Baumhauer's α_last).

    The output reads it as in ``attention_first``. ``head`` selects one head.

    >>> AttentionLast(head=1).head
    1
    """

    block: ClassVar[int] = -1
