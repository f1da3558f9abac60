"""The contract of a repair, as checks that any repair can be put through."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor
from torch.func import vmap

from holdfast.core.records import Batch
from holdfast.data.base import Task
from holdfast.models.base import Model, Run
from holdfast.models.text.average import Average
from holdfast.testing.model import build, example
from holdfast.train.chunk import Chunk
from holdfast.train.noise import shapes_of
from holdfast.train.optimise import Sgd
from holdfast.train.repair import Repair, Tensors

TASK, MODEL = Task(12, ("no", "yes"), counts=(30, 10)), Average(hidden=4, dim=3, dropout=0.3)
MEMBERS, EPOCHS, STEPS = 3, 4, 3
SHAPES: dict[str, tuple[int, ...]] = {"matrix": (3, 2), "vector": (4,), "scalar": ()}
Call = Callable[..., Any]


def check_repair(repair: Repair) -> None:
    """Run every check; an ``AssertionError`` says which promise is broken.

    >>> from holdfast.repair.aswa import Aswa
    >>> check_repair(Aswa())
    """
    check_promises(repair)
    for check in (check_untouched, check_hooks, check_memory, check_mapping):
        check(repair, torch.float64)
    check_hooks(repair, torch.float32)
    check_losses(repair)
    check_training(repair)


def check_promises(repair: Repair) -> None:
    """``stops`` is a truth value; the learning rate's factor is a finite number above 0 in every epoch."""
    assert isinstance(repair.stops, bool), f"stops is {repair.stops!r}, not True or False"
    for epoch in range(1, EPOCHS + 1):
        rate = repair.rate(epoch, EPOCHS)
        assert rate > 0, f"the rate of epoch {epoch} is {rate}"
        assert math.isfinite(rate), f"the rate of epoch {epoch} is {rate}"


def check_untouched(repair: Repair, dtype: torch.dtype) -> None:
    """No hook writes onto what it is given."""

    def guarded(hook: Call, *arguments: Any) -> Any:
        before = [dict(a) if isinstance(a, dict) else a for a in arguments]
        copies = [{k: v.clone() for k, v in a.items()} for a in arguments if isinstance(a, dict)]
        found = hook(*arguments)
        given = [(a, b) for a, b in zip(arguments, before, strict=True) if isinstance(a, dict)]
        for (after, names), copy in zip(given, copies, strict=True):
            assert after.keys() == names.keys(), f"{hook.__name__} added or took a name of its input"
            for name, tensor in copy.items():
                assert torch.equal(after[name], tensor), f"{hook.__name__} wrote onto its input {name}"
        return found

    start, moves = walk(0, dtype)
    list(follow(repair, start, moves, guarded))


def check_hooks(repair: Repair, dtype: torch.dtype) -> None:
    """``turn`` and ``outcome`` keep the parameters' names, shapes and dtype; all is finite and repeatable."""
    start, moves = walk(0, dtype)
    first, second = (list(follow(repair, start, moves)) for _ in range(2))
    for state, again in zip(first, second, strict=True):
        for hook in ("turn", "outcome"):
            for name, tensor in part(state, hook).items():
                assert tensor.shape == start[name].shape, f"{hook} changes the shape of {name}"
                assert tensor.dtype == dtype, f"{hook} changes the dtype of {name} to {tensor.dtype}"
        for name, tensor in state.items():
            assert tensor.isfinite().all(), f"{name} is not finite"
            assert torch.equal(tensor, again[name]), f"{name} is not the same the second time"


def check_memory(repair: Repair, dtype: torch.dtype) -> None:
    """The memory keeps its names, shapes and dtypes from ``begin`` on (it may be empty)."""
    start, moves = walk(0, dtype)
    begun = repair.begin(start, TASK)
    for state in follow(repair, start, moves):
        memory = part(state, "memory")
        assert memory.keys() == begun.keys(), "the memory's names change"
        for name, tensor in memory.items():
            assert tensor.shape == begun[name].shape, f"the memory's {name} changes its shape"
            assert tensor.dtype == begun[name].dtype, f"the memory's {name} changes its dtype"


def check_mapping(repair: Repair, dtype: torch.dtype) -> None:
    """Hooks mapped over members give what each member gets alone."""
    walks = [walk(seed, dtype) for seed in range(MEMBERS)]
    starts = {name: torch.stack([start[name] for start, _ in walks]) for name in SHAPES}
    moves = {name: torch.stack([moves[name] for _, moves in walks]) for name in SHAPES}
    mapped = vmap(lambda s, m: list(follow(repair, s, m)), randomness="error")(starts, moves)
    for member, (start, own) in enumerate(walks):
        for several, alone in zip(mapped, follow(repair, start, own), strict=True):
            for name, tensor in alone.items():
                assert near(several[name][member], tensor), f"mapped over members, {name} is another"


def check_losses(repair: Repair) -> None:
    """One finite loss for each example, the same mapped over members; the draws of dropout are read."""
    models, batch = _models(), example(TASK)
    noise = _noise(repair, models[0], batch)
    stacked = {
        name: torch.stack([p[name] for p in map(_parameters, models)]) for name in _parameters(models[0])
    }
    begun = [repair.begin(_parameters(model), TASK) for model in models]
    memory = {name: torch.stack([own[name] for own in begun]) for name in begun[0]}

    def losses(parameters: Tensors, memory: Tensors) -> Tensor:
        return repair.losses(Run(models[0], parameters), batch, noise, memory)

    mapped = vmap(losses, randomness="error")(stacked, memory)
    for member, model in enumerate(models):
        alone = losses(_parameters(model), begun[member])
        assert alone.shape == (len(batch),), f"losses have shape {tuple(alone.shape)}, not one per example"
        assert alone.isfinite().all(), "a loss is not finite"
        assert near(mapped[member], alone), "mapped over members, the losses are others"
    own = {name: drawn for name, drawn in noise.items() if name.startswith("repair/")}
    silent = repair.losses(Run(models[0], _parameters(models[0])), batch, own, begun[0])
    assert not near(silent, mapped[0]), "the draws of dropout are not read"


def check_training(repair: Repair) -> None:
    """Members trained together go the way that each goes alone."""
    models, batch = _models(), example(TASK)
    starts = [_parameters(model) for model in models]
    together = {name: torch.stack([start[name] for start in starts]) for name in starts[0]}
    mapped = _trained(repair, models[0], together, batch, stacked=True)
    for member, start in enumerate(starts):
        alone = _trained(repair, models[0], start, batch, stacked=False)
        for name, tensor in alone.items():
            assert tensor.isfinite().all(), f"after training, {name} is not finite"
            assert near(mapped[name][member], tensor), f"trained together, {name} is another"


def walk(seed: int, dtype: torch.dtype) -> tuple[Tensors, Tensors]:
    """First parameters, and how far each step moves them: (epochs, steps, …)."""
    generator = torch.Generator().manual_seed(seed)
    start = {name: torch.randn(shape, generator=generator, dtype=dtype) for name, shape in SHAPES.items()}
    moves = {
        name: torch.randn((EPOCHS, STEPS, *shape), generator=generator, dtype=dtype)
        for name, shape in SHAPES.items()
    }
    return start, moves


def follow(
    repair: Repair, start: Tensors, moves: Tensors, call: Call = lambda hook, *arguments: hook(*arguments)
) -> Iterator[Tensors]:
    """Call the hooks as the training loop does; yields what came after each step and each epoch."""
    parameters, memory = start, call(repair.begin, start, TASK)
    for epoch in range(EPOCHS):
        for step in range(STEPS):
            memory = call(repair.step, parameters, memory, torch.tensor(epoch * STEPS + step + 1))
            yield _named("memory", memory)
            parameters = {name: tensor + moves[name][epoch, step] for name, tensor in parameters.items()}
        parameters, memory = call(repair.turn, parameters, memory, epoch + 1, EPOCHS)
        assert parameters.keys() == start.keys(), "turn changes the names of the parameters"
        outcome = call(repair.outcome, parameters, memory, epoch + 1, EPOCHS)
        assert outcome.keys() == start.keys(), "outcome changes the names of the parameters"
        yield _named("memory", memory) | _named("turn", parameters) | _named("outcome", outcome)


def part(state: Tensors, name: str) -> Tensors:
    """What :func:`follow` yields of one kind: ``memory``, ``turn`` or ``outcome``."""
    return {key.partition(":")[2]: value for key, value in state.items() if key.startswith(f"{name}:")}


def near(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors agree to 1e-9."""
    return torch.allclose(a, b, rtol=1e-9, atol=1e-9)


def _named(kind: str, tensors: Tensors) -> Tensors:
    return {f"{kind}:{name}": tensor for name, tensor in tensors.items()}


def _models() -> list[Model]:
    return [build(MODEL, TASK, seed) for seed in range(MEMBERS)]


def _parameters(model: Model) -> Tensors:
    return {name: tensor.detach() for name, tensor in model.named_parameters()}


def _noise(repair: Repair, model: Model, batch: Batch) -> Tensors:
    generator = torch.Generator().manual_seed(0)
    of_model, of_repair = shapes_of(model, repair, batch)
    return {name: torch.rand(shape, generator=generator) for name, shape in (of_model | of_repair).items()}


def _trained(repair: Repair, model: Model, start: Tensors, batch: Batch, stacked: bool) -> Tensors:
    noise, batch = (
        _noise(repair, model, batch),
        replace(batch, weight=torch.ones(len(batch), dtype=torch.float64)),
    )
    if stacked:
        batch = batch.map(lambda tensor: torch.stack([tensor] * MEMBERS))
        noise = {name: torch.stack([tensor] * MEMBERS) for name, tensor in noise.items()}
    chunk = Chunk(model, start, Sgd(), repair, (TASK,) * (MEMBERS if stacked else 1))
    for epoch in range(1, EPOCHS + 1):
        chunk.rate(epoch, EPOCHS)
        for _ in range(STEPS):
            chunk.step(batch, noise)
        chunk.turn(epoch, EPOCHS)
    return {name: tensor.clone() for name, tensor in chunk.outcome(EPOCHS, EPOCHS).items()}
