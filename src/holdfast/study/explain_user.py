"""Why a recommender recommends: a user's next items with their reasons, as every seed of a run sees them."""

from dataclasses import replace
from pathlib import Path

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.catalogue import canonical, is_known, make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Explanation
from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.study.explain import LoadedFamily, check_kind, load_family
from holdfast.study.near_user import NearUser
from holdfast.study.new_example import NewHold
from holdfast.study.reasons import by_item, named_most, reasons
from holdfast.study.recommendation import UNEXPLAINED, Recommendation, UserExample, has_reasons
from holdfast.train.evaluate import each


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
    reads = loaded.family.architecture.explains
    if explainer and not reads:
        raise BadSetting(f"{loaded.job.model} reads no history to explain: leave --explainer out")
    whole = dataset.splits["test"].padded or not reads
    batch = history_batch(known, len(known) if whole else dataset.task.length or 1)
    batch = replace(batch, user=torch.tensor([row]))
    items = batch.inputs[0][batch.mask[0]]
    favoured, wanted = _favoured(loaded, batch, known, count)
    written = (explainer or _default_explainer(loaded.explainers)) if reads else ""
    if written:
        found = _explained(loaded, dataset, written, replace(batch, candidates=favoured[None]), row)
    else:
        found = [_unexplained(dataset, int(item)) for item in favoured]
    near = NearUser(loaded.family, dataset, row, len(favoured))
    return UserExample(
        data=dataset.name,
        model=loaded.job.model,
        repair=loaded.job.repair,
        user=user,
        history=tuple(map(dataset.item_name, items.tolist())),
        cut=len(known) - len(items),
        explainer=canonical("explainers", written) if written else "",
        signed=bool(written) and make("explainers", written).signed,
        seeds=tuple(member.seed for member in loaded.family.members),
        recommendations=tuple(
            replace(one, wanted=int(seeds), near=near.items(int(item)), taken=near.taken(int(item)))
            for one, seeds, item in zip(found, wanted, favoured, strict=True)
        ),
        neighbours=near.users(),
    )


def _explained(
    loaded: LoadedFamily, dataset: InteractionDataset, written: str, request: Batch, row: int
) -> list[Recommendation]:
    assert request.candidates is not None
    items, recommended = request.inputs[0][request.mask[0]], request.candidates[0].tolist()
    found = []
    for place, item in enumerate(recommended):
        explanation = loaded.explain(written, request, torch.tensor([place]))
        held = loaded.measure(written, explanation, request, own=row)
        found.append(_recommendation(dataset, items, item, explanation, held))
    return found


def _unexplained(dataset: InteractionDataset, item: int) -> Recommendation:
    """A recommendation of a model that reads no history."""
    return Recommendation(dataset.item_name(item), 0, (), (), None, None, None, UNEXPLAINED)


def _default_explainer(explainers: tuple[str, ...]) -> str:
    """The best of the run that tells for from against, else the best; of those that are loaded."""
    known = [text for text in explainers if is_known("explainers", text)]
    return next((text for text in known if make("explainers", text).signed), explainers[0])


def history_batch(items: Int[Tensor, "L"], length: int) -> Batch:
    """The latest ``length`` items of one history, ending in the last position.

    >>> history_batch(torch.tensor([4, 5]), 3).inputs
    tensor([[0, 4, 5]])
    """
    latest = items[-length:].long()
    inputs = torch.cat([latest.new_zeros(length - len(latest)), latest])[None]
    return Batch(inputs, inputs > 0, rows=torch.zeros(1, dtype=torch.long))


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
    explanation: Explanation,
    held: NewHold,
) -> Recommendation:
    known, scores = by_item(items, explanation.scores[:, 0, explanation.mask[0]])
    names = tuple(map(dataset.item_name, known.tolist()))
    hold, said = held.hold, has_reasons(held.word)
    place, agree = named_most(scores)
    return Recommendation(
        item=dataset.item_name(item),
        wanted=0,
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
