"""Histories to put a recommender through, and what its contract says beyond that of every model."""

from collections.abc import Callable
from dataclasses import replace

import torch
import torch.nn.functional as F
from torch import Tensor

from holdfast.core.records import PLAIN, Batch, Edit, Site
from holdfast.data.base import Task
from holdfast.models.base import Model
from holdfast.models.interaction.recommender import Recommender

CANDIDATES, NEGATIVES = 7, 2
PADDING = 3


def histories(task: Task, length: int, seed: int = 0) -> Batch:
    """Five histories, right aligned: a full one, a shorter one, one with a hole, one item, and none at all.

    >>> histories(Task(9, (), length=9), 4).mask.int()[:3]
    tensor([[1, 1, 1, 1],
            [0, 0, 1, 1],
            [0, 1, 0, 1]], dtype=torch.int32)
    """
    assert task.length is not None, "expected a task of items, with a length"
    assert length + PADDING <= task.length, f"expected a task of length {length + PADDING} or more"
    draw = torch.Generator().manual_seed(seed)
    sizes = torch.tensor([length, max(length - 2, 1), max(length - 1, 1), 1, 0])
    mask = torch.arange(length) >= length - sizes[:, None]
    mask[2, -2] = length < 2

    def some(*shape: int) -> Tensor:
        return torch.randint(1, task.vocabulary, shape, generator=draw)

    items = some(5, length + 1)
    return Batch(
        items[:, :-1],
        mask,
        targets=torch.zeros(5, dtype=torch.long),
        rows=torch.arange(5),
        candidates=some(5, CANDIDATES),
        following=items[:, 1:],
        negatives=some(5, length, NEGATIVES),
        labels=2 * (items[:, 1:] % 2) if task.rated else None,
        user=torch.arange(5) % task.users if task.users else None,
    )


def pad_left(batch: Batch, extra: int) -> Batch:
    """The same histories with ``extra`` columns more before them, filled with items that do not exist."""

    def wider(tensor: Tensor | None) -> Tensor | None:
        if tensor is None:
            return None
        widths = (0, 0) * (tensor.dim() - 2) + (extra, 0)
        return F.pad(tensor, widths, value=0 if tensor.dtype == torch.bool else 1)

    wide = {name: wider(getattr(batch, name)) for name in ("inputs", "mask", "following", "negatives")}
    return replace(batch, **wide)  # type: ignore[arg-type]


def check_items(model: Model, batch: Batch, task: Task) -> None:
    """Run every check that is about items alone."""
    for check in CHECKS:
        check(model, batch)
    everything = model(replace(batch, candidates=None)).logits
    assert everything.shape == (len(batch), task.vocabulary), "without candidates, expected all items' logits"


def check_candidates(model: Model, batch: Batch) -> None:
    """Logits over candidates are those over all items; item 0 is finite, and the lowest."""
    assert batch.candidates is not None
    everything = model(replace(batch, candidates=None)).logits
    assert everything.isfinite().all(), "logits over all items are not finite"
    assert (everything[:, :1] < everything[:, 1:]).all(), "item 0, which is none, is not the lowest"
    gathered, logits = everything.gather(1, batch.candidates), model(batch).logits
    assert torch.allclose(logits, gathered, atol=1e-9), "candidates have other logits than among all items"
    zeros = model(replace(batch, candidates=torch.zeros_like(batch.candidates))).logits
    assert torch.equal(zeros[:, 0], everything[:, 0]), "item 0 as a candidate is not the lowest"


def check_explained(model: Model, batch: Batch) -> None:
    """What is explained is the candidate's score itself."""
    logits, target = model(batch).logits, torch.arange(len(batch)) % CANDIDATES
    scores = logits.gather(1, target[:, None])[:, 0]
    assert torch.equal(model.explained(logits, target), scores), "what is explained is not the item's score"


def check_future(model: Model, batch: Batch) -> None:
    """What came next changes losses, never logits."""
    assert batch.following is not None
    other = replace(batch, following=batch.following.flip(0))
    assert torch.equal(model(other).logits, model(batch).logits), "logits see what came next"
    assert not torch.equal(model.losses(other), model.losses(batch)), "losses do not see what came next"


def check_coalitions(model: Model, batch: Batch) -> None:
    """States encoded once serve every mask within the one they were encoded with."""
    states = model.encode(model.embed(batch), batch, PLAIN)
    length = batch.mask.shape[1]
    for gone in range(length):
        fewer = replace(batch, mask=batch.mask & (torch.arange(length) != gone))
        again, anew = model.decide(states, fewer, PLAIN).logits, model(fewer).logits
        assert torch.allclose(again, anew, atol=1e-9), "states encoded once do not serve another mask"


def check_positions(model: Model, batch: Batch) -> None:
    """Maps hold the history's positions, then the model's own, which are always attended; one is read."""
    trace, length = model(batch), batch.mask.shape[1]
    sites = sites_of(model, batch)
    if not sites:
        assert trace.read is None, "nothing is attended, but a position of it is read"
        return
    assert trace.read is not None, "a model with attention does not say which position is read"
    assert torch.equal(trace.read.sum(1), torch.ones_like(trace.read[:, 0])), "what is read is not one"
    for weights, site in sites:
        assert trace.read.shape[1] == weights.shape[-1] >= length, "a map lacks positions of the history"
        assert site.allowed[..., -1, length:].all(), "a position of the model's own is not attended"


def check_causality(model: Model, batch: Batch) -> None:
    """Where no map may look ahead, the last item changes no row before its own."""
    sites = sites_of(model, batch)
    if not sites or any(site.allowed.triu(1).any() for _, site in sites):
        return
    other = torch.cat([batch.inputs[:, :-1], batch.inputs[:, -1:] % 3 + 1], 1)
    changed = model(replace(batch, inputs=other))
    for before, after in zip(model(batch).attention, changed.attention, strict=True):
        same = torch.equal(before[..., :-1, :], after[..., :-1, :])
        assert same, "a position sees an item that comes after it"


def check_last(model: Model, batch: Batch) -> None:
    """A recommender's short way to the state that is read gives what the whole pass gives."""
    if not isinstance(model, Recommender):
        return
    states = model.encode(model.embed(batch), batch, PLAIN)
    for edit in (PLAIN, Edit(attention=lambda weights, site: weights.flip(-1) * site.allowed)):
        short = model.scores(model.last(states, batch, edit), batch.candidates)
        assert torch.allclose(short, model(batch, edit).logits, atol=1e-9), (
            "the short way gives another state"
        )
        every, _ = model.hidden(states, batch, edit)
        whole = model.scores(every[:, -1], batch.candidates)
        assert torch.allclose(whole, short, atol=1e-9), "the state that is read is not the last one"


def sites_of(model: Model, batch: Batch) -> list[tuple[Tensor, Site]]:
    """Every map that passes the door, with its site."""
    seen: list[tuple[Tensor, Site]] = []

    def look(weights: Tensor, site: Site) -> Tensor:
        seen.append((weights, site))
        return weights

    model(batch, Edit(attention=look))
    return seen


CHECKS: tuple[Callable[[Model, Batch], None], ...] = (
    check_candidates,
    check_explained,
    check_future,
    check_coalitions,
    check_positions,
    check_causality,
    check_last,
)
