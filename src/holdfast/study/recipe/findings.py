"""From what is kept of a recipe's seeds to what a report shows."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from holdfast.core.errors import TooFewMembers
from holdfast.core.records import Explanation, Member
from holdfast.data.reading import listed
from holdfast.data.scores.brought import Answers, Brought, Falls
from holdfast.study.brought import SEEDS, UNTRAINED, judge_brought
from holdfast.study.engine import Listener
from holdfast.study.findings import Findings
from holdfast.study.growth import More
from holdfast.study.recipe.advice import recipe_advice
from holdfast.study.recipe.data import Given
from holdfast.study.recipe.kept import Kept
from holdfast.study.recipe.plan import RecipePlan
from holdfast.study.recipe.step import PROBABILITIES, STARTS, Asked
from holdfast.study.unasked import lacking

IGNORES = (
    "All members are the same bits: the {count} seeds gave one and the same model. train(seed) makes no use "
    "of its seed, or this learner has none. They count as one model."
)
CHANCE = (
    "all seeds predict the same bits, so what differs between them is the chance of the explainer, not the "
    "training"
)
SAME_BITS = "all seeds gave the same bits, so nobody knows what another training would say"
NOT_KEPT = (
    "The models themselves are not kept: nothing new can be explained without training again (give save and "
    "load, and they are)."
)
MANY = "examples have so many positions that leaving out one at a time would take too long"
STARTED = (
    "Models as they start were not explained: how much of the hold the wiring or the size of the inputs "
    "alone would give was not measured (give untrained)."
)


@dataclass(frozen=True)
class Members:
    """The seeds that count, each with its tables; which were left out, and why; and for seeds that gave the
    same bits as another one which that is."""

    seeds: tuple[int, ...]
    tables: tuple[dict[str, Tensor], ...]
    left_out: tuple[dict[str, Any], ...]
    copies: dict[int, int]

    @property
    def trained(self) -> int:
        """How many seeds trained well."""
        return len(self.seeds) + len(self.copies)

    def stack(self, name: str) -> Tensor:
        """One table of every seed."""
        return torch.stack([own[name] for own in self.tables])


def members_of(kept: Kept, count: int) -> Members:
    """The seeds of a finished run; fewer than two that trained well are refused."""
    notes = {seed: kept.note(Kept.seed(seed)) or {"why": "its file is missing"} for seed in range(count)}
    good = [seed for seed, note in notes.items() if note["why"] is None]
    out = tuple({"seed": seed, "why": note["why"]} for seed, note in notes.items() if note["why"] is not None)
    if len(good) < 2:
        whys = "; ".join(f"seed {one['seed']}: {one['why']}" for one in out)
        raise TooFewMembers(f"{len(good)} of {count} seeds trained well, but two are needed ({whys})")
    first: dict[str, int] = {}
    copies = {seed: one for seed in good if (one := first.setdefault(notes[seed]["answers"], seed)) != seed}
    own = tuple(seed for seed in good if seed not in copies)
    return Members(own, tuple(kept.tensors(Kept.seed(seed)) for seed in own), out, copies)


def brought_of(plan: RecipePlan, given: Given, kept: Kept, asked: Asked) -> tuple[Brought, Members]:
    """The seeds as scores that somebody brought."""
    members = members_of(kept, plan.seeds)
    who, rows = tuple(map(Member, members.seeds)), asked.rows
    odds, truth = members.stack(PROBABILITIES), given.truth(asked.classes)
    starts = kept.note(STARTS)
    untrained = kept.tensors(STARTS) if starts is not None and starts["why"] is None else {}
    brought = Brought(
        name=plan.recipe,
        explanations={
            name: Explanation(members.stack(f"scores/{name}"), asked.mask, asked.target, who, name, signed)
            for name, signed in asked.signed.items()
        },
        tokens=_tokens(given, asked),
        probabilities=odds[:, rows],
        labels=None if truth is None else truth[rows],
        classes=given.named(asked.classes),
        untrained=untrained,
        told=True,
        notes=tuple(_notes(plan, members, asked, starts)),
        every=Answers(odds, truth),
        falls=_falls(members, asked),
    )
    return replace(brought, unasked=_unasked(plan, members, brought)), members


def recipe_findings(
    plan: RecipePlan,
    given: Given,
    kept: Kept,
    command: str,
    here: str = "",
    listen: Listener = lambda stage, done, total: None,
) -> Findings:
    """Everything a report shows of a finished run; ``here`` is why workers could not do it."""
    asked = Asked.read(kept)
    if asked is None:
        raise TooFewMembers("no seed was explained")
    brought, members = brought_of(plan, given, kept, asked)
    found = judge_brought(brought, command, listen)
    instances = int((asked.mask.sum(-1) > 1).sum())
    first, count = found.answer.rows[0], replace(found.answer.members, trained=members.trained)
    answer = replace(
        found.answer,
        do=recipe_advice(first, plan, len(members.seeds), instances, command),
        members=replace(count, left_out=members.left_out),
    )
    ran = f"The seeds ran in the process that asked for them: {here}." if here else ""
    notes = (STARTED if note == UNTRAINED else note for note in found.notes if note != SEEDS)
    more = More(frozenset(kept.seeds()) - set(range(plan.seeds)), frozenset(), frozenset()).sentence
    kept_notes = tuple(filter(None, (*notes, ran, more, *([] if "save" in plan.roles else [NOT_KEPT]))))
    about = {"recipe": plan.recipe, "functions": listed(plan.roles), "seeds": plan.seeds}
    return replace(found, plan=about | found.plan, answer=answer, notes=kept_notes)


def _tokens(given: Given, asked: Asked) -> tuple[tuple[str, ...], ...] | None:
    rows = asked.rows.tolist()
    if given.names is not None:
        return (given.names,) * len(rows)
    return None if given.tokens is None else tuple(given.tokens[row] for row in rows)


def _falls(members: Members, asked: Asked) -> Falls | None:
    """What leaving positions out does, where that was asked of every seed."""
    if not all("drop/alone" in own for own in members.tables):
        return None
    by = {name: members.stack(f"drop/by/{name}") for name in asked.signed}
    return Falls(by, members.stack("drop/random"), members.stack("drop/alone"))


def _unasked(plan: RecipePlan, members: Members, brought: Brought) -> dict[str, str]:
    """Why a question is not asked, in words that suit a recipe."""
    whys = {}
    if brought.falls is None:
        whys["matters"] = MANY if "remove" in plan.roles else lacking("matters", "remove").because
    odds = brought.answers.probabilities
    if odds is not None and bool((odds == odds[:1]).all()) and bool(((odds > 0) & (odds < 1)).any()):
        whys["survives"] = CHANCE
    if len(members.seeds) == 1:
        whys |= {"says": SAME_BITS, "survives": SAME_BITS}
    return whys


def _notes(plan: RecipePlan, members: Members, asked: Asked, starts: dict[str, Any] | None) -> Iterator[str]:
    yield f"The class that is explained is {asked.by}, the same for every seed."
    if len(members.seeds) == 1:
        yield IGNORES.format(count=members.trained)
    elif members.copies:
        pairs = listed(f"seed {seed} as seed {one}" for seed, one in members.copies.items())
        yield f"Some seeds gave the very bits of another one and do not count again: {pairs}."
    if starts is not None and starts["why"] is not None:
        yield f"Models as they start could not be explained: {starts['why']}."
