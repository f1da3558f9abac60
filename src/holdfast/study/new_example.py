"""The hold of one new example, by the same rules as an audit's: against the same impostors."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import torch
from jaxtyping import Int
from torch import Tensor
from torch.nn.functional import pad

from holdfast.core.errors import HoldfastError
from holdfast.core.records import Explanation
from holdfast.measure.hold import Hold, hold, hold_each
from holdfast.measure.impostors import AnotherInput, Copy, Impostor, Shuffled, UntrainedOrder
from holdfast.measure.scale import Scale, scale_of
from holdfast.measure.survives import IMPOSTORS
from holdfast.study.examples import example_word, heat
from holdfast.study.findings import Heat, Standing

Source = Callable[[], Explanation]


@dataclass(frozen=True)
class LaidOver(Impostor):
    """Explanations of other inputs, laid over a new one as ``another`` says."""

    another: AnotherInput
    others: Explanation

    name = AnotherInput.name
    knows = AnotherInput.knows

    def copies(self, explanation: Explanation, rows: Int[Tensor, "B"]) -> Iterator[Copy]:
        """Up to four, of one example."""
        both = _joined(explanation, self.others)
        width = explanation.mask.shape[-1]
        for copy in self.another.copies(both, torch.arange(len(both.mask))):
            yield Copy(copy.scores[:, :1, :width], copy.known[:1])


@dataclass(frozen=True)
class NewHold:
    """The hold of one new example; ``missing`` are impostors that could not be made, by name, and why;
    ``in_run`` is what the audit of the run says of the explainer."""

    scale: Scale
    missing: tuple[tuple[str, str], ...]
    in_run: str = ""

    @property
    def hold(self) -> Hold | None:
        """Against the nearest impostor; None where nothing can be measured."""
        return hold(self.scale)

    @property
    def word(self) -> str:
        """The word, where it is decided; *holds* takes two impostors, as it does in an audit."""
        held = self.hold
        word = example_word(None if held is None else held.interval)
        few = held is None or len(held.against) < IMPOSTORS
        return "undecided" if word == "holds" and few else word

    @property
    def standing(self) -> Standing:
        """How it was measured, beside what the run's audit says."""
        return Standing(None if self.hold is None else self.hold.nearest, self.missing, self.in_run)


def measure_new(
    explanation: Explanation, another: AnotherInput, others: Source, untrained: Source, row: int = 0
) -> NewHold:
    """The hold of one example, against every impostor that can be made of it.

    ``others`` gives the members' explanations of other inputs, ``untrained`` those of this one by networks
    that never trained; a source that raises is left out, with the reason. ``row`` names the draws.
    """
    impostors: list[Impostor] = [Shuffled()]
    missing = []
    try:
        impostors.append(LaidOver(another, others()))
    except HoldfastError as error:
        missing.append((AnotherInput.name, str(error)))
    try:
        impostors.append(UntrainedOrder(untrained().scores))
    except HoldfastError as error:
        missing.append((UntrainedOrder.name, str(error)))
    scale = scale_of(explanation, impostors, torch.tensor([row]))
    if int(explanation.mask.sum()) > 1:
        missing += [(name, "the run has no other input of about this length") for name in scale.left_out]
    return NewHold(scale, tuple(missing))


def new_heat(explanation: Explanation, held: NewHold) -> Heat:
    """The heat map of one new example, with its hold."""
    one, value = heat(explanation, hold_each(held.scale), 0), held.hold
    return replace(
        one,
        hold=None if value is None else round(value.value, 4),
        low=None if value is None else _rounded(value.low),
        high=None if value is None else _rounded(value.high),
        verdict=held.word,
        standing=held.standing,
    )


def _joined(explanation: Explanation, others: Explanation) -> Explanation:
    """The new example first, then the others."""
    width = max(explanation.mask.shape[-1], others.mask.shape[-1])
    both = [_widened(one, width) for one in (explanation, others)]
    return replace(
        explanation,
        scores=torch.cat([one.scores.to(explanation.scores) for one in both], 1),
        mask=torch.cat([one.mask for one in both]),
        target=torch.cat([one.target for one in both]),
        lost=None,
    )


def _widened(explanation: Explanation, width: int) -> Explanation:
    more = (0, width - explanation.mask.shape[-1])
    return replace(explanation, scores=pad(explanation.scores, more), mask=pad(explanation.mask, more))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
