"""Short inputs: two or three positions can be ranked in few ways, so where such inputs are many they are
reported apart; one position alone cannot move, and is left out of every hold."""

from jaxtyping import Int
from torch import Tensor

from holdfast.measure.bins import Bin, by_length
from holdfast.measure.hold import Hold, hold
from holdfast.measure.question import ends, places
from holdfast.measure.scale import Scale

SHORT = 3
ONE_IN = 5
"""More than one input in so many must be short."""


def apart(lengths: Int[Tensor, "B"]) -> list[Bin]:
    """The inputs of two or three positions, and the longer ones; none where at most a fifth are that short.

    >>> import torch
    >>> [bin.label for bin in apart(torch.tensor([1, 2, 3, 9]))], apart(torch.tensor([3, 9, 9, 9, 9]))
    (['2–3', '9'], [])
    """
    if ONE_IN * int((lengths <= SHORT).sum()) <= len(lengths):
        return []
    return [bin for bin in by_length(lengths, starts=(2, SHORT + 1)) if bin.at > 1]


def short_inputs(scale: Scale, lengths: Int[Tensor, "B"], part: str) -> str:
    """The hold of short inputs and of longer ones, where the short are many, and how many inputs have one
    position only; ``part`` is what a position is called. Nothing where there is nothing to say."""
    return " ".join(filter(None, (_apart(scale, lengths, part), _alone(lengths, part))))


def _apart(scale: Scale, lengths: Tensor, part: str) -> str:
    bins = apart(lengths)
    held = {bin.at > SHORT: hold(scale, bin.mask) for bin in bins}
    short, longer = held.get(False), held.get(True)
    if short is None:
        return ""
    few = int((lengths <= SHORT).sum())
    share = "All" if few == len(lengths) else f"{100 * few / len(lengths):.0f} % of the"
    told = f"{share} examples have at most three {part}s"
    if longer is None:
        return f"{told}."
    return f"{told}: their hold is {_said(short)}, that of the longer ones {_said(longer)}."


def _said(held: Hold) -> str:
    """With its interval; a hold below 0 is no better than the impostor, and is said so."""
    value, low, high = (None if end is None else max(end, 0.0) for end in (held.value, held.low, held.high))
    return f"{places(value or 0.0)}{ends(low, high)}"


def _alone(lengths: Tensor, part: str) -> str:
    count = int((lengths <= 1).sum())
    if count in (0, len(lengths)):  # where all have one, that is the verdict's own reason
        return ""
    verb = "has only one {} and is" if count == 1 else "have only one {} and are"
    return f"{count} of {len(lengths)} examples {verb.format(part)} left out of hold."
