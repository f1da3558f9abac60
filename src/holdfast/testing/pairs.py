"""What the contract of a model of pairs says beyond that of every model."""

from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import PLAIN, Batch
from holdfast.data.base import Task
from holdfast.models.interaction.losses import LOWEST
from holdfast.models.interaction.pair import PairModel
from holdfast.models.odds import log_odds
from holdfast.testing.near import assert_near


def focused(model: PairModel, batch: Batch) -> Batch:
    """Each user is asked about another place among the candidates."""
    assert batch.candidates is not None
    return model.ask(batch, torch.arange(len(batch)) % batch.candidates.shape[1])


def check_pairs(model: PairModel, batch: Batch, task: Task) -> None:
    """Run every check that is about pairs alone."""
    for check in CHECKS:
        check(model, batch)
    everything = model.rank(replace(batch, candidates=None))
    assert everything.shape == (len(batch), task.vocabulary), "without candidates, expected all items"
    assert (everything[:, 0] == LOWEST).all(), "item 0, which is none, is not the lowest"
    assert batch.candidates is not None
    gathered = everything.gather(1, batch.candidates)
    assert_near(model.rank(batch), gathered, "candidates have other odds than among all items")


def check_rank(model: PairModel, batch: Batch) -> None:
    """The odds of each candidate are those of a pass that is asked about it alone."""
    assert batch.candidates is not None
    ranked = model.rank(batch)
    assert ranked.shape == batch.candidates.shape, "a candidate has no score, or more than one"
    for place in range(ranked.shape[1]):
        one = model.ask(batch, torch.full((len(batch),), place))
        assert_near(ranked[:, place], _odds(model, one), "a candidate ranks otherwise than by itself")
        taken = model.tempered(model(one).logits).softmax(-1)[:, -1]
        assert_near(model.probabilities(ranked)[:, place], taken, "a candidate has another probability")


def check_focused(model: PairModel, batch: Batch) -> None:
    """What is explained is the candidate at that place, as taken; focused again, it is the same."""
    place = torch.arange(len(batch))
    unasked = replace(batch, query=None)
    if not model.reads_history:
        try:
            model.focused(unasked, place)
        except BadSetting:
            return
        raise AssertionError("a model that reads no history is explained")
    one, target = model.focused(unasked, place)
    assert (target == model.classes - 1).all(), "what is explained is not that the item is taken"
    shown = model.explained(model(one).logits, target)
    assert_near(shown, model.rank(batch).gather(1, place[:, None])[:, 0], "another candidate is explained")
    again, same = model.focused(one, target)
    assert again is one, "focused twice, it is another batch"
    assert same is target, "focused twice, it is another class"


def check_own_history(model: PairModel, batch: Batch) -> None:
    """A candidate that stands in the history is a hole there."""
    assert batch.query is not None
    length = batch.mask.shape[1]
    here = torch.arange(length) == length - 1
    inside = replace(batch, inputs=torch.where(here, batch.query, batch.inputs))
    hole = replace(batch, mask=batch.mask & ~here)
    assert_near(model(inside).logits, model(hole).logits, "a candidate is part of its own history")
    ranked, wanted = model.rank(_only(inside)), model.rank(_only(hole))
    assert_near(ranked, wanted, "a candidate ranks by itself as part of its own history")
    seen, unseen = (model.losses(_trained(one)) for one in (inside, hole))
    assert_near(seen, unseen, "training sees the item that it asks for in the history")


def check_set(model: PairModel, batch: Batch) -> None:
    """The history is a set: another order changes nothing."""
    turned = replace(batch, inputs=batch.inputs.flip(1), mask=batch.mask.flip(1))
    assert_near(model(turned).logits, model(batch).logits, "the order of the history changes the logits")


def check_subsets(model: PairModel, batch: Batch) -> None:
    """Subsets of a history are what a pass with holes gives."""
    kept = ~torch.eye(batch.mask.shape[1], dtype=torch.bool)
    for row in range(len(batch)):
        one = batch.take(torch.tensor([row]))
        many = batch.take(torch.full((len(kept),), row))
        wanted = model(replace(many, mask=many.mask & kept)).logits
        for stays in (False, True):
            assert_near(model.subsets(one, kept, stays), wanted, "subsets are not what holes give")


def check_fillers(model: PairModel, batch: Batch) -> None:
    """Columns without an item cost nothing, whatever their negatives."""
    assert batch.following is not None
    none = replace(batch, following=torch.zeros_like(batch.following))
    assert not model.losses(none).any(), "a column without an item costs something"
    late = torch.where(torch.arange(batch.following.shape[1]) < 1, batch.following, 0)
    losses = [
        model.losses(replace(batch, following=torch.where(torch.arange(late.shape[1]) == column, each, 0)))
        for column, each in enumerate(batch.following.mT[..., None].expand(-1, -1, late.shape[1]))
    ]
    assert_near(torch.stack(losses).sum(0), model.losses(batch), "columns are not independent of another")
    assert model.losses(replace(batch, following=late)).all(), "a column with an item costs nothing"


def _only(batch: Batch) -> Batch:
    """The candidate alone."""
    return replace(batch, candidates=batch.query, query=None)


def _trained(batch: Batch) -> Batch:
    """Trained on the candidate alone, also as what was not taken."""
    assert batch.query is not None
    labels = None if batch.labels is None else batch.labels[:, :1]
    return replace(batch, following=batch.query, negatives=batch.query[..., None], labels=labels)


def _odds(model: PairModel, batch: Batch) -> Tensor:
    last = torch.full((len(batch),), model.classes - 1)
    return log_odds(model(batch, PLAIN).logits, last)


CHECKS: tuple[Callable[[PairModel, Batch], None], ...] = (
    check_rank,
    check_focused,
    check_own_history,
    check_set,
    check_subsets,
    check_fillers,
)
