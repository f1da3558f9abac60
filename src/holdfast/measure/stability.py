"""Bring your own scores: does an explanation from any other library hold?"""

from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float
from numpy.typing import ArrayLike
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Explanation, Member
from holdfast.measure.verdict import Holds, hold_each, judge, scale_of

SHAPE = "(members, examples, positions)"


@dataclass(frozen=True)
class Stability:
    """Whether scores hold from member to member.

    ``value`` lies between 1 (the same again) and 0 (no better than shuffled), ``low`` and ``high`` are the
    ends of its 95 % interval over members; all three are None where the scores say nothing. ``each`` holds
    the same for every example.
    """

    value: float | None
    low: float | None
    high: float | None
    verdict: str
    reason: str
    members: int
    examples: int
    each: Holds = field(repr=False)

    def __str__(self) -> str:
        return self.reason

    def _repr_html_(self) -> str:
        about = f"{self.members} members, {self.examples} examples"
        return (
            f"<div><strong>{escape(self.verdict)}</strong><p>{escape(self.reason)}</p>"
            f"<small>{escape(about)}</small></div>"
        )


def stability(
    scores: ArrayLike | Tensor, mask: ArrayLike | Tensor | None = None, signed: bool | None = None
) -> Stability:
    """Say whether explanations hold: scores of shape (members, examples, positions), from any library.

    Members are whatever should agree: seeds, runs, perturbed inputs. ``mask`` (examples, positions) is True
    where a position exists (default: everywhere); ``signed`` says that a negative score speaks against
    (default: if there is one).

    >>> import numpy
    >>> words = numpy.tile(numpy.eye(4), (3, 1, 1))
    >>> stability(words).verdict
    'holds'
    """
    table = _scores(scores)
    valid = _mask(mask, table)
    table = torch.where(valid, table, 0.0)
    if not torch.isfinite(table).all():
        raise BadSetting(
            "expected scores to be finite numbers, but some are NaN or infinite: mask or fix them"
        )
    signed = bool((table < 0).any()) if signed is None else signed
    members = tuple(map(Member, range(len(table))))
    target = torch.zeros(table.shape[1], dtype=torch.long)
    scale = scale_of(Explanation(table, valid, target, members, "scores", signed))
    verdict = judge(scale, of="member")
    hold = verdict.hold
    return Stability(
        value=None if hold is None else hold.value,
        low=None if hold is None else hold.low,
        high=None if hold is None else hold.high,
        verdict=verdict.word,
        reason=verdict.reason,
        members=table.shape[0],
        examples=table.shape[1],
        each=hold_each(scale),
    )


def _scores(scores: ArrayLike | Tensor) -> Float[Tensor, "M B T"]:
    table = _tensor(scores, "scores", torch.float64)
    if table.ndim != 3 or 0 in table.shape:
        raise BadSetting(f"expected scores of shape {SHAPE}, none of them 0, but got {tuple(table.shape)}")
    if len(table) < 2:
        raise BadSetting(
            f"expected scores of at least two members, but got {len(table)}: stability needs two"
        )
    return table


def _mask(mask: ArrayLike | Tensor | None, scores: Tensor) -> Bool[Tensor, "B T"]:
    if mask is None:
        return torch.ones(scores.shape[1:], dtype=torch.bool)
    valid = _tensor(mask, "mask", torch.bool)
    if valid.shape != scores.shape[1:]:
        raise BadSetting(
            f"expected mask of shape (examples, positions), here {tuple(scores.shape[1:])}, "
            f"but got {tuple(valid.shape)}"
        )
    return valid


def _tensor(values: Any, name: str, dtype: torch.dtype) -> Tensor:
    """A copy on the CPU: the caller's array is never written to."""
    if isinstance(values, Tensor):
        return values.detach().to("cpu", dtype, copy=True)
    try:
        return torch.from_numpy(np.array(values, dtype=np.float64)).to(dtype)
    except (ValueError, TypeError) as error:
        raise BadSetting(
            f"expected {name} to be an array of numbers, but got something else ({error})"
        ) from None
