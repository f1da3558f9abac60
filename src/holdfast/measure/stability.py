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
from holdfast.measure.contrast import contrast_of
from holdfast.measure.hold import EachHold, hold, hold_each
from holdfast.measure.impostors import AnotherInput, Impostor, Shuffled, UntrainedOrder
from holdfast.measure.odd_members import groups_of
from holdfast.measure.question import Question
from holdfast.measure.says import says
from holdfast.measure.scale import scale_of
from holdfast.measure.short import short_inputs
from holdfast.measure.survives import survives
from holdfast.measure.verdict import judge

SHAPE = "(members, examples, positions)"


@dataclass(frozen=True)
class Stability:
    """Whether scores hold from member to member.

    ``value`` is the hold: 1 is the same again, 0 no better than the nearest impostor, something that knows
    nothing; ``low`` and ``high`` are the ends of its 95 % interval over members; all three are None where no
    example has two positions. ``questions`` are those of the verdict that scores alone can answer,
    ``nearest`` is the impostor, and ``each`` holds the same for every example.
    """

    value: float | None
    low: float | None
    high: float | None
    verdict: str
    reason: str
    members: int
    examples: int
    nearest: str | None
    questions: tuple[Question, ...] = field(repr=False)
    each: EachHold = field(repr=False)

    def __str__(self) -> str:
        return self.reason

    def _repr_html_(self) -> str:
        about = f"{self.members} members, {self.examples} examples"
        return (
            f"<div><strong>{escape(self.verdict)}</strong><p>{escape(self.reason)}</p>"
            f"<small>{escape(about)}</small></div>"
        )


def stability(
    scores: ArrayLike | Tensor,
    mask: ArrayLike | Tensor | None = None,
    signed: bool | None = None,
    untrained: ArrayLike | Tensor | None = None,
) -> Stability:
    """Say whether explanations hold: scores of shape (members, examples, positions), from any library.

    Members are whatever should agree: seeds, runs, perturbed inputs. ``mask`` (examples, positions) is True
    where a position exists (default: everywhere); ``signed`` says that a negative score speaks against
    (default: if there is one). ``untrained`` are scores by networks that were never trained, of the same
    shape but for the number of networks: with them it is also asked whether anything was learned.

    >>> import numpy
    >>> words = numpy.random.default_rng(0).exponential(size=(200, 12)) ** 3
    >>> stability(numpy.tile(words, (10, 1, 1))).verdict
    'holds'
    """
    table = _scores(scores)
    valid = _mask(mask, table)
    table = _finite(table, valid, "scores")
    signed = bool((table < 0).any()) if signed is None else signed
    members = tuple(map(Member, range(len(table))))
    explanation = Explanation(table, valid, torch.zeros(table.shape[1]).long(), members, "scores", signed)
    scale = scale_of(explanation, _impostors(untrained, table, valid))
    held, groups = hold(scale), groups_of(scale)
    lengths = valid.sum(-1)
    survived = survives(held, groups, int((lengths > 1).sum()), "member")
    questions = (says(contrast_of(explanation)), survived)
    verdict = judge(questions, "member")
    return Stability(
        value=survived.value,
        low=survived.low,
        high=survived.high,
        verdict=verdict.word,
        reason=" ".join(filter(None, (verdict.reason, short_inputs(scale, lengths, "position")))),
        members=table.shape[0],
        examples=table.shape[1],
        nearest=None if held is None else held.nearest,
        questions=questions,
        each=hold_each(scale),
    )


def _impostors(untrained: ArrayLike | Tensor | None, scores: Tensor, valid: Tensor) -> list[Impostor]:
    first: list[Impostor] = [Shuffled(), AnotherInput()]
    if untrained is None:
        return first
    table = _tensor(untrained, "untrained", torch.float64)
    if table.ndim != 3 or table.shape[1:] != scores.shape[1:] or not len(table):
        wanted = f"(networks, {scores.shape[1]}, {scores.shape[2]})"
        raise BadSetting(f"expected untrained of shape {wanted}, but got {tuple(table.shape)}")
    return [*first, UntrainedOrder(_finite(table, valid, "untrained"))]


def _finite(table: Tensor, valid: Tensor, name: str) -> Tensor:
    table = torch.where(valid, table, 0.0)
    if not torch.isfinite(table).all():
        raise BadSetting(
            f"expected {name} to be finite numbers, but some are NaN or infinite: mask or fix them"
        )
    return table


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
