"""The tensors of a model that others know by name: its temperature, what makes its attention, its vectors."""

from functools import partial

import torch
from torch import Tensor

from holdfast.core.records import PLAIN, Batch, Edit
from holdfast.data.base import Task
from holdfast.models.base import TEMPERATURE, Model
from holdfast.models.doors import instead
from holdfast.models.interaction.item_model import ItemModel
from holdfast.models.run import Run

WARM = 2.0  # exact in binary


def check_temperature(model: Model, batch: Batch) -> None:
    """The temperature is 1 and not a parameter; another value divides the logits, also those of parts and
    subsets and in the losses, and changes nothing else."""
    warm = Run(model, {TEMPERATURE: torch.full_like(model.temperature, WARM)})
    assert TEMPERATURE not in dict(model.named_parameters()), "the temperature would be trained"
    assert torch.equal(model.temperature, torch.ones_like(model.temperature)), "the temperature is not 1"
    plain, other = model(batch), warm(batch)
    assert torch.equal(other.logits, plain.logits / WARM), "the temperature does not divide the logits"
    seen = [(*trace.attention, trace.embedded, trace.states) for trace in (plain, other)]
    assert all(map(torch.equal, *seen)), "the temperature changes more than the logits"
    parts = warm.decide(plain.states, batch, PLAIN)
    assert torch.equal(parts.logits, other.logits), "the temperature does not divide the logits of decide"
    one = batch.map(lambda tensor: tensor[:1])
    for stays in (False, True):
        kept = model.subsets(one, batch.mask[:2], stays) / WARM
        subsets = warm.subsets(one, batch.mask[:2], stays)
        assert torch.equal(subsets, kept), "the temperature does not divide the logits of subsets"
    assert not torch.equal(warm.losses(batch), model.losses(batch)), "the temperature is not in the losses"


def check_vectors(model: ItemModel, batch: Batch, task: Task) -> None:
    """``item_vectors`` and ``user_vectors`` are parameters with a row for each item or user, and each changes
    the scores."""
    weights, plain = dict(model.named_parameters()), model.rank(batch)
    kinds = {
        "item_vectors": (model.item_vectors, task.vocabulary),
        "user_vectors": (model.user_vectors, task.users),
    }
    for kind, (names, rows) in kinds.items():
        for name in names:
            assert name in weights, f"{kind} has {name}, which is not a parameter"
            assert len(weights[name]) == rows, f"{kind} has {name}, which has not {rows} rows"
            moved = Run(model, _moved({name: weights[name]})).rank(batch)
            assert not torch.equal(moved, plain), f"{kind} has {name}, which changes no score"


def check_attention_names(model: Model, batch: Batch) -> None:
    """``attention_names`` are parameters, and there are some exactly where maps can be edited; each makes a
    map another one, and from the same states all others together leave the first map as it is.

    The last is seen for a single text alone: in a pair the query, which is encoded later, steers the map.
    """
    plain, weights, names = model(batch), dict(model.named_parameters()), model.attention_names
    unknown = [name for name in names if name not in weights]
    assert not unknown, f"attention_names has {unknown[:1]}, which is not a parameter"
    assert bool(names) == bool(plain.attention[model.unedited :]), (
        "attention_names is empty, or the model has no attention, but not both"
    )
    for name in names:
        maps = Run(model, _moved({name: weights[name]}))(batch).attention
        alike = all(map(torch.equal, maps, plain.attention))
        assert not alike, f"attention_names has {name}, which changes no map"
    if names and batch.query is None:
        one = batch.map(lambda tensor: tensor[:1])
        others = _moved({name: tensor for name, tensor in weights.items() if name not in names})
        states = model.encode(model.embed(one), one, PLAIN)
        first, again = (Run(model, changed).decide(states, one).attention[0] for changed in ({}, others))
        assert torch.equal(first, again), "the attention depends on more than attention_names"


def check_attended(model: Model, batch: Batch) -> None:
    """A model that ``pools`` has one map, over the positions, and with other maps over the same states the
    logits that the door gives, at its own temperature."""
    if not model.pools:
        return
    trace = model(batch)
    assert [tuple(one.shape) for one in trace.attention] == [tuple(batch.mask.shape)], (
        "the model says that it pools, but has other maps"
    )
    warm = Run(model, {TEMPERATURE: torch.full_like(model.temperature, WARM)})
    maps = torch.stack([trace.attention[0], trace.attention[0].flip(0) * batch.mask])
    many = warm.attended(trace.states, batch, maps)
    for one, logits in zip(maps, many, strict=True):
        alone = warm.decide(trace.states, batch, Edit(attention=partial(instead, one))).logits
        assert torch.allclose(logits, alone, atol=1e-9), "attended gives other logits than the door"


def _moved(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """Other values for each."""
    rng = torch.Generator().manual_seed(0)
    return {n: t.detach() + torch.rand(t.shape, generator=rng).to(t.dtype) for n, t in tensors.items()}
