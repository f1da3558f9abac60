"""Why a recommender recommends: a user's next items with their reasons, as every seed of a run sees them."""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.catalogue import is_known, make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Explanation
from holdfast.core.schema import SCHEMA
from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.study.answer import fraction
from holdfast.study.explain import LoadedFamily, check_kind, load_family
from holdfast.study.findings import Standing
from holdfast.study.new_example import NewHold
from holdfast.train.evaluate import each

REASONS = 3
NONE = ("does not hold",)  # of which no reason is named


@dataclass(frozen=True)
class Reason:
    """An item of the history: its part of all that the seeds together count, and how many seeds agree that it
    is one of the first reasons."""

    item: str
    share: float
    agree: int


@dataclass(frozen=True)
class Recommendation:
    """One recommended item: how many seeds have it among their own first, what speaks for it and against it,
    and whether that would still be there after another training; where it would not, no reason is named.
    ``agree`` seeds name the item ``strongest`` as the one that counts most."""

    item: str
    wanted: int
    reasons: tuple[Reason, ...]
    against: tuple[Reason, ...]
    hold: float | None
    low: float | None
    high: float | None
    verdict: str
    strongest: str = ""
    agree: int = 0
    standing: Standing | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain values, those of ``standing`` among them."""
        values = asdict(self) | {name: fraction(getattr(self, name)) for name in ("hold", "low", "high")}
        del values["standing"]
        return values | ({} if self.standing is None else self.standing.to_json())

    @property
    def has_reasons(self) -> bool:
        """Whether there are reasons that another training would give again."""
        return self.verdict not in NONE


@dataclass(frozen=True)
class UserExample:
    """What is recommended to a user, and why; ``cut`` is how many older items the models do not see. Reasons
    of an explainer that is not ``signed`` are what counts most, be it for or against."""

    data: str
    model: str
    repair: str
    user: str
    history: tuple[str, ...]
    cut: int
    explainer: str
    signed: bool
    seeds: tuple[int, ...]
    recommendations: tuple[Recommendation, ...]

    def to_json(self) -> dict[str, Any]:
        """The answer of ``holdfast explain --json``."""
        return (
            {"schema": SCHEMA}
            | asdict(self)
            | {"recommendations": [r.to_json() for r in self.recommendations]}
        )


def explain_user(
    run: Path,
    user: str,
    count: int = 5,
    model: str | None = None,
    repair: str | None = None,
    explainer: str | None = None,
) -> UserExample:
    """The items that the seeds together favour for a user, from all that the user knows so far."""
    if count < 1:
        raise BadSetting(f"expected --count to be 1 or more, but got {count}")
    check_kind(run, "interaction")
    loaded = load_family(run, model, repair)
    dataset = InteractionDataset.narrow(loaded.dataset)
    row = dataset.user_row(user)
    known = dataset.histories.of(row)
    whole = dataset.splits["test"].padded
    batch = history_batch(known, len(known) if whole else dataset.task.length or 1)
    favoured, wanted = _favoured(loaded, batch, known, count)
    request = replace(batch, candidates=favoured[None])
    written = explainer or _default_explainer(loaded.job.explainers)
    items = batch.inputs[0][batch.mask[0]]
    explanations = [loaded.explain(written, request, torch.tensor([place])) for place in range(len(favoured))]
    held = [loaded.measure(written, one, request, own=row) for one in explanations]
    return UserExample(
        data=dataset.name,
        model=loaded.job.model,
        repair=loaded.job.repair,
        user=user,
        history=tuple(map(dataset.item_name, items.tolist())),
        cut=len(known) - len(items),
        explainer=explanations[0].method,
        signed=explanations[0].signed,
        seeds=tuple(member.seed for member in loaded.family.members),
        recommendations=tuple(
            _recommendation(dataset, items, int(favoured[place]), int(wanted[place]), one, held[place])
            for place, one in enumerate(explanations)
        ),
    )


def _default_explainer(explainers: tuple[str, ...]) -> str:
    """The run's first explainer that tells for from against, else its first; of those that are loaded."""
    known = [text for text in explainers if is_known("explainers", text)] or explainers
    return next((text for text in known if make("explainers", text).signed), known[0])


def history_batch(items: Int[Tensor, "L"], length: int) -> Batch:
    """The latest ``length`` items of one history, ending in the last position.

    >>> history_batch(torch.tensor([4, 5]), 3).inputs
    tensor([[0, 4, 5]])
    """
    latest = items[-length:].long()
    inputs = torch.cat([latest.new_zeros(length - len(latest)), latest])[None]
    return Batch(inputs, inputs > 0, rows=torch.zeros(1, dtype=torch.long))


def reasons(scores: Float[Tensor, "M T"], names: tuple[str, ...], first: int = REASONS) -> tuple[Reason, ...]:
    """The items whose scores over members are highest, each with how many members agree. One that does not
    speak for it by the mean *and* in most members is none, nor one that nobody has among the first.

    >>> [one] = reasons(torch.tensor([[0.9, -0.1], [0.5, -0.5]]), ("rain", "sun"))
    >>> one.item, one.agree, round(one.share, 2)
    ('rain', 2, 0.7)
    """
    parts = scores.double() / scores.double().abs().sum(1, keepdim=True).clamp(min=1e-12)
    together = parts.mean(0)
    named = _first(parts, first)
    speaks = (together > 0) & ((parts > 0).double().mean(0) > 0.5) & named.any(0)
    order = [place for place in together.argsort(descending=True, stable=True).tolist() if speaks[place]]
    return tuple(
        Reason(names[place], float(together[place]), int(named[:, place].sum())) for place in order[:first]
    )


def by_item(
    items: Int[Tensor, "T"], scores: Float[Tensor, "M T"]
) -> tuple[Int[Tensor, "U"], Float[Tensor, "M U"]]:
    """Every item of a history once, with the sum of its scores: a reader knows it by its name alone.

    >>> [part.tolist() for part in by_item(torch.tensor([7, 3, 7]), torch.tensor([[1.0, 2.0, 4.0]]))]
    [[3, 7], [[2.0, 5.0]]]
    """
    known, place = torch.unique(items, return_inverse=True)
    return known, scores.new_zeros(len(scores), len(known)).index_add(1, place, scores)


def _first(parts: Float[Tensor, "M T"], first: int) -> Bool[Tensor, "M T"]:
    """Which items each member has among its own first, of those that speak for it."""
    places = parts.argsort(dim=1, descending=True, stable=True)[:, :first]
    return torch.zeros_like(parts, dtype=torch.bool).scatter(1, places, True) & (parts > 0)


def _favoured(
    loaded: LoadedFamily, batch: Batch, known: Int[Tensor, "L"], count: int
) -> tuple[Int[Tensor, "k"], Int[Tensor, "k"]]:
    """The new items to recommend, and how many members recommend each."""
    family = loaded.family
    logits = each(family.model, family.parameters, batch, lambda one, b: one.rank(b), stacked=True)[:, 0]
    logits[:, known.long()] = -torch.inf
    logits[:, 0] = -torch.inf
    count = min(count, int(logits[0].isfinite().sum()))
    if not count:
        raise BadSetting("this user has seen every item: there is nothing left to recommend")
    return favoured(logits, count)


def favoured(logits: Float[Tensor, "M I"], count: int) -> tuple[Int[Tensor, "k"], Int[Tensor, "k"]]:
    """The items that members together give the highest probability, of those that at least one of them has
    among its own first; and how many have.

    >>> [part.tolist() for part in favoured(torch.tensor([[9.0, 8.0, 0.0], [0.0, 8.0, 9.5]]), 1)]
    [[2], [1]]
    """
    favourites = logits.topk(count, 1).indices
    chances = logits.double().log_softmax(1).mean(0)
    nobody = torch.ones_like(chances, dtype=torch.bool).index_fill(0, favourites.flatten(), False)
    together = chances.masked_fill(nobody, -torch.inf).topk(count).indices
    return together, (favourites[:, :, None] == together).any(1).sum(0)


def _recommendation(
    dataset: InteractionDataset,
    items: Int[Tensor, "T"],
    item: int,
    wanted: int,
    explanation: Explanation,
    held: NewHold,
) -> Recommendation:
    known, scores = by_item(items, explanation.scores[:, 0, explanation.mask[0]])
    names = tuple(map(dataset.item_name, known.tolist()))
    hold, said = held.hold, held.word not in NONE
    place, agree = named_most(scores)
    return Recommendation(
        item=dataset.item_name(item),
        wanted=wanted,
        reasons=reasons(scores if explanation.signed else scores.abs(), names) if said else (),
        against=reasons(-scores, names) if explanation.signed and said else (),
        hold=None if hold is None else hold.value,
        low=None if hold is None else hold.low,
        high=None if hold is None else hold.high,
        verdict=held.word,
        strongest=names[place],
        agree=agree,
        standing=held.standing,
    )


def named_most(scores: Float[Tensor, "M U"]) -> tuple[int, int]:
    """The place that most members give the largest absolute score, and how many do.

    >>> named_most(torch.tensor([[1.0, -3.0], [2.0, 1.0], [0.0, 1.0]]))
    (1, 2)
    """
    counts = scores.abs().argmax(1).bincount()
    return int(counts.argmax()), int(counts.max())
