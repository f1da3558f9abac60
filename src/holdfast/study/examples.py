"""Sentences and histories to look at: the same one as every seed sees it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Explanation
from holdfast.measure.hold import EachHold, hold_each
from holdfast.measure.reduce import Interval
from holdfast.measure.scale import Scale
from holdfast.measure.strongest import most_named
from holdfast.measure.survives import MEMBERS, word_of
from holdfast.study.findings import Example, Heat
from holdfast.study.measurement import FamilyKey
from holdfast.study.result import FamilyResult

LONGEST = 40


class Said(NamedTuple):
    """What an example consists of, its truth, and what is explained, all by name; unknown tokens; the second
    text of a pair; and what each perturbation made of it."""

    tokens: tuple[str, ...]
    label: str
    target: str
    unknown: tuple[bool, ...] = ()
    query: str = ""
    changes: tuple[str, ...] = ()


Say = Callable[[FamilyResult, int], Said]


def examples(
    family: FamilyResult, scales: Mapping[str, Scale], first: str, say: Say, count: int = 6
) -> list[Example]:
    """Examples from the highest hold to the lowest by the explainer ``first``, evenly spaced; ``say`` names
    what the one at a place consists of."""
    chosen = spaced(hold_each(scales[first]).value, family.mask.sum(1), count)
    return [example(family, scales, int(place), say(family, int(place))) for place in chosen]


def example(family: FamilyResult, scales: Mapping[str, Scale], place: int, said: Said) -> Example:
    """One explained test row as a record."""
    truth = family.dataset.splits["test"].truth(family.rows[place : place + 1])
    marks = None if truth is None else truth[0, : family.mask.shape[1]][family.mask[place, : truth.shape[1]]]
    key = FamilyKey(family.data, family.model, family.repair)
    shown = {name: one for name, one in family.explanations.items() if name != "random"}
    each = {name: hold_each(scales[name]) for name in shown}
    made = example_of(key, shown, each, place, said, family.explained[:, place])
    return replace(made, rationale=None if marks is None else tuple(bool(mark) for mark in marks))


def example_of(
    family: FamilyKey,
    explanations: Mapping[str, Explanation],
    each: Mapping[str, EachHold],
    place: int,
    said: Said,
    probabilities: Float[Tensor, "M"] | None = None,
) -> Example:
    """One explained example as a record; ``probabilities`` are those of what is explained, where they are
    known, ``each`` the holds of every example, where there are some."""
    members = next(iter(explanations.values())).members
    return Example(
        *family,
        tokens=said.tokens,
        label=said.label,
        target=said.target,
        probabilities=() if probabilities is None else tuple(_rounded(probabilities)),
        seeds=tuple(member.seed for member in members),
        heats=tuple(heat(one, each.get(name), place) for name, one in explanations.items()),
        unknown=said.unknown,
        query=said.query,
        changes=said.changes,
    )


def heat(explanation: Explanation, each: EachHold | None, place: int) -> Heat:
    """One explainer's scores of one text, each member's normalised to a sum of 1."""
    scores = explanation.scores[:, place, explanation.mask[place]].double()
    scores = scores / scores.abs().sum(1, keepdim=True).clamp(min=1e-12)
    interval = None if each is None else each.interval(place)
    named, agree = most_named(explanation, place)
    return Heat(
        explainer=explanation.method,
        signed=explanation.signed,
        scores=tuple(tuple(_rounded(member)) for member in scores),
        consensus=tuple(_rounded(scores.mean(0))),
        hold=None if interval is None else round(interval.value, 4),
        low=None if interval is None or interval.low is None else round(interval.low, 4),
        high=None if interval is None or interval.high is None else round(interval.high, 4),
        verdict=example_word(interval),
        strongest=named,
        agree=agree,
        lost=lost_share(explanation, place),
    )


def example_word(interval: Interval | None) -> str:
    """The word for one example, where its interval decides it; *holds* takes as many members as elsewhere."""
    word = None if interval is None or interval.low is None else word_of(interval.low, interval.high)
    few = interval is None or interval.n < MEMBERS
    return "undecided" if word is None or (word == "holds" and few) else word


def lost_share(explanation: Explanation, place: int) -> float | None:
    """The share of one example's evidence that was lost, in the mean over members that have any."""
    if explanation.lost is None or explanation.evidence is None:
        return None
    gone, whole = explanation.lost[:, place], explanation.evidence[:, place]
    known = whole != 0
    return round(float((gone / whole)[known].abs().mean()), 4) if bool(known.any()) else None


def spaced(values: Float[Tensor, "K"], lengths: Int[Tensor, "K"], count: int) -> list[int]:
    """Places from the largest value to the smallest, evenly spaced, of rows that are not too long."""
    fitting = (lengths <= LONGEST).nonzero()[:, 0] if bool((lengths <= LONGEST).any()) else lengths.argsort()
    ordered = fitting[values[fitting].argsort(descending=True, stable=True)].tolist()
    places = torch.linspace(0, len(ordered) - 1, min(count, len(ordered))).round().long().tolist()
    return [ordered[place] for place in dict.fromkeys(places)]


def _rounded(values: Float[Tensor, "N"]) -> list[float]:
    """Four decimals: what a heat map can show, and no more bytes than that."""
    return [round(value, 4) for value in values.tolist()]
