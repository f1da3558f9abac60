"""The hold of scores from any other library, and the verdict that it alone gives."""

from dataclasses import dataclass, field
from html import escape
from typing import Any

from holdfast.core.errors import BadSetting
from holdfast.data.scores.given import bring
from holdfast.measure.contrast import contrast_of
from holdfast.measure.hold import EachHold, hold, hold_each
from holdfast.measure.impostors import AnotherInput, Shuffled, UntrainedOrder
from holdfast.measure.odd_members import groups_of
from holdfast.measure.question import Question
from holdfast.measure.says import says
from holdfast.measure.scale import scale_of
from holdfast.measure.short import short_inputs
from holdfast.measure.survives import survives
from holdfast.measure.verdict import judge


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
    scores: Any,
    mask: Any = None,
    signed: bool | None = None,
    untrained: Any = None,
) -> Stability:
    """Say whether explanations hold: scores of shape (members, examples, positions), from any library.

    Members are whatever should agree: seeds, runs, perturbed inputs. ``mask`` (examples, positions) is True
    where a position exists (default: everywhere); ``signed`` says that a negative score speaks against
    (default: if there is one). ``untrained`` are scores by networks that were never trained, of the same
    shape but for the number of networks: with them it is also asked whether anything was learned.

    ``holdfast.judge`` asks the other questions too, and draws a report.

    >>> import numpy
    >>> words = numpy.random.default_rng(0).exponential(size=(200, 12)) ** 3
    >>> stability(numpy.tile(words, (10, 1, 1))).verdict
    'holds'
    """
    brought = bring(scores, mask=mask, signed=signed, untrained=untrained)
    explanation = brought.first
    if len(brought.members) < 2:
        raise BadSetting("expected scores of at least two members, but got 1: stability needs two")
    order = [UntrainedOrder(own) for own in brought.untrained.values()]
    scale = scale_of(explanation, [Shuffled(), AnotherInput(), *order])
    held, groups = hold(scale), groups_of(scale)
    lengths = brought.mask.sum(-1)
    survived = survives(held, groups, int((lengths > 1).sum()), "member")
    questions = (says(contrast_of(explanation)), survived)
    verdict = judge(questions, "member")
    return Stability(
        value=survived.value,
        low=survived.low,
        high=survived.high,
        verdict=verdict.word,
        reason=" ".join(filter(None, (verdict.reason, short_inputs(scale, lengths, "position")))),
        members=len(brought.members),
        examples=len(brought.mask),
        nearest=None if held is None else held.nearest,
        questions=questions,
        each=hold_each(scale),
    )
