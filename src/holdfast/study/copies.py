"""Members whose scores and answers are those of another one, bit for bit: they count once."""

from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from holdfast.data.reading import listed
from holdfast.data.scores.brought import Brought, Predict

ONE = (
    "all {count} members say the same, bit for bit, and count as one: where a learner makes no use of its "
    "seed, draw its rows by the seed"
)
SOME = "Members that say the same as another one, bit for bit, do not count again: {pairs}."


def without_copies(brought: Brought) -> Brought:
    """The same with every member once; where only one is left, what compares members is not asked."""
    copies = _copies(brought)
    if not copies:
        return brought
    kept = [place for place in range(len(brought.members)) if place not in copies]
    few = _only(brought, kept, copies)
    if len(kept) == 1:
        why = ONE.format(count=len(brought.members))
        return replace(few, unasked={"says": why, "survives": why, **brought.unasked})
    pairs = listed(f"{brought.members[copy]} as {brought.members[of]}" for copy, of in copies.items())
    return replace(few, notes=(*brought.notes, SOME.format(pairs=pairs)))


def _copies(brought: Brought) -> dict[int, int]:
    """For each member that is a copy, by place, of which earlier one; whoever trained the members knows."""
    if brought.every is not None or not bool(brought.mask.any()):
        return {}
    tables = [one.scores for one in brought.explanations.values()]
    tables += [] if brought.probabilities is None else [brought.probabilities]
    same: dict[int, int] = {}
    for place in range(1, len(brought.members)):
        earlier = (one for one in range(place) if one not in same)
        of = next((one for one in earlier if all(torch.equal(t[one], t[place]) for t in tables)), None)
        same |= {} if of is None else {place: of}
    return same


def _only(brought: Brought, kept: list[int], copies: dict[int, int]) -> Brought:
    """The same of these members alone; the function that is asked is still asked about all."""
    back = [kept.index(copies.get(place, place)) for place in range(len(brought.members))]
    who = tuple(brought.members[place] for place in kept)
    return replace(
        brought,
        explanations={
            name: replace(one, scores=one.scores[kept], members=who)
            for name, one in brought.explanations.items()
        },
        probabilities=None if brought.probabilities is None else brought.probabilities[kept],
        predict=None if brought.predict is None else _asked(brought.predict, back, kept),
    )


def _asked(predict: Predict, back: list[int], kept: list[int]) -> Predict:
    def ask(keep: NDArray[np.bool_]) -> Any:
        said = predict(keep[back])
        return [said[place] for place in kept] if isinstance(said, list | tuple) else said[kept]

    return ask
