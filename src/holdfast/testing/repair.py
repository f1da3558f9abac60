"""The contract of a repair, as checks that any repair can run."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.func import vmap

from holdfast.core.catalogue import make
from holdfast.testing.training import (
    EPOCHS,
    MEMBERS,
    STEPS,
    TASK,
    check_balance,
    check_draws,
    check_finish,
    check_first,
    check_losses,
    check_training,
    near,
)
from holdfast.train.job import stack
from holdfast.train.repair import Repair, Tensors

SHAPES: dict[str, tuple[int, ...]] = {"matrix": (3, 2), "vector": (4,), "scalar": ()}
Call = Callable[..., Any]


def check_repair(repair: Repair) -> None:
    """Run every check; an ``AssertionError`` says which promise is broken.

    >>> from holdfast.repair.aswa import Aswa
    >>> check_repair(Aswa())
    """
    check_promises(repair)
    for check in (check_untouched, check_hooks, check_memory, check_averages, check_mapping):
        check(repair, torch.float64)
    check_hooks(repair, torch.float32)
    check_sampling(repair)
    for check_on_network in (
        check_first, check_draws, check_losses, check_balance, check_training, check_finish
    ):  # fmt: skip
        check_on_network(repair)


def check_promises(repair: Repair) -> None:
    """``stops``, ``balances`` and ``trains`` are booleans; the factor of the learning rate is finite and
    above 0; the repair that ``needs`` names exists."""
    assert isinstance(repair.stops, bool), f"stops is {repair.stops!r}, not True or False"
    assert isinstance(repair.balances, bool), f"balances is {repair.balances!r}, not True or False"
    assert repair.needs is None or make("repairs", repair.needs) != repair, "the repair needs itself"
    for name in SHAPES:
        assert isinstance(repair.trains(name), bool), f"trains({name!r}) is not True or False"
    for epoch in range(1, EPOCHS + 1):
        rate = repair.rate(epoch, EPOCHS)
        assert rate > 0, f"the rate of epoch {epoch} is {rate}"
        assert math.isfinite(rate), f"the rate of epoch {epoch} is {rate}"


def check_sampling(repair: Repair) -> None:
    """``chances`` are none, or one for each class, finite, not negative, and not all 0; of negatives there
    are as many as the model wants or fewer, but some where it wants some."""
    chances = repair.chances(TASK)
    assert len(chances) in (0, len(TASK.classes)), f"there are {len(chances)} chances, not one for each class"
    assert all(math.isfinite(chance) and chance >= 0 for chance in chances), f"chances are {chances}"
    assert not chances or any(chances), "no class has a chance to be drawn"
    for count in (0, 1, 4):
        drawn = repair.negatives(count)
        assert min(count, 1) <= drawn <= count, f"of {count} negatives, {drawn} are drawn"


def check_untouched(repair: Repair, dtype: torch.dtype) -> None:
    """No hook changes its inputs."""

    def guarded(hook: Call, *arguments: Any) -> Any:
        before = [dict(a) if isinstance(a, dict) else a for a in arguments]
        copies = [{k: v.clone() for k, v in a.items()} for a in arguments if isinstance(a, dict)]
        result = hook(*arguments)
        given = [(a, b) for a, b in zip(arguments, before, strict=True) if isinstance(a, dict)]
        for (after, names), copy in zip(given, copies, strict=True):
            assert after.keys() == names.keys(), f"{hook.__name__} changed the names of its input"
            for name, tensor in copy.items():
                assert torch.equal(after[name], tensor), f"{hook.__name__} changed its input {name}"
        return result

    start, moves = walk(0, dtype)
    list(follow(repair, start, moves, guarded))


def check_hooks(repair: Repair, dtype: torch.dtype) -> None:
    """``step``, ``turn`` and ``outcome`` keep the parameters' names, shapes and dtype; all is finite and
    repeatable."""
    start, moves = walk(0, dtype)
    first, second = (list(follow(repair, start, moves)) for _ in range(2))
    for state, again in zip(first, second, strict=True):
        for hook in ("step", "turn", "outcome"):
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


def check_averages(repair: Repair, dtype: torch.dtype) -> None:
    """Without ``averages``, ``turn`` and ``outcome`` give the weights as they are given."""
    start, moves = walk(0, dtype)
    for state in follow(repair, start, moves):
        for hook, before in (("turn", "trained"), ("outcome", "turn")):
            for name, tensor in part(state, hook).items():
                same = torch.equal(tensor, part(state, before)[name])
                assert same or repair.averages, f"{hook} changes {name}: say averages = True"


def check_mapping(repair: Repair, dtype: torch.dtype) -> None:
    """Hooks mapped over members give what each member gets alone."""
    walks = [walk(seed, dtype) for seed in range(MEMBERS)]
    starts, moves = stack([start for start, _ in walks]), stack([moves for _, moves in walks])
    begun = stack([repair.begin(start, TASK) for start, _ in walks])

    def several(start: Tensors, moves: Tensors, memory: Tensors) -> list[Tensors]:
        return list(followed(repair, start, moves, memory))

    mapped = vmap(several, randomness="error")(starts, moves, begun)
    for member, (start, steps) in enumerate(walks):
        for together, alone in zip(mapped, follow(repair, start, steps), strict=True):
            for name, tensor in alone.items():
                assert near(together[name][member], tensor), f"mapped over members, {name} differs"


def walk(seed: int, dtype: torch.dtype) -> tuple[Tensors, Tensors]:
    """First parameters, and how far each step moves them: (epochs, steps, …)."""
    generator = torch.Generator().manual_seed(seed)
    start = {name: torch.randn(shape, generator=generator, dtype=dtype) for name, shape in SHAPES.items()}
    moves = {
        name: torch.randn((EPOCHS, STEPS, *shape), generator=generator, dtype=dtype)
        for name, shape in SHAPES.items()
    }
    return start, moves


def _plainly(hook: Call, *arguments: Any) -> Any:
    return hook(*arguments)


def follow(repair: Repair, start: Tensors, moves: Tensors, call: Call = _plainly) -> Iterator[Tensors]:
    """Call the hooks as the training loop does; yields what came after each step and each epoch."""
    return followed(repair, start, moves, call(repair.begin, start, TASK), call)


def followed(
    repair: Repair, start: Tensors, moves: Tensors, memory: Tensors, call: Call = _plainly
) -> Iterator[Tensors]:
    """What :func:`follow` does once there is a memory: what follows is mapped over members."""
    parameters = start
    for epoch in range(EPOCHS):
        for step in range(STEPS):
            before = parameters, memory, torch.tensor(epoch * STEPS + step + 1)
            parameters, memory = _both("step", start, call(repair.step, *before))
            yield _named("memory", memory) | _named("step", parameters)
            parameters = {name: tensor + moves[name][epoch, step] for name, tensor in parameters.items()}
        trained = parameters
        parameters, memory = _both("turn", start, call(repair.turn, trained, memory, epoch + 1, EPOCHS))
        outcome = call(repair.outcome, parameters, memory, epoch + 1, EPOCHS)
        assert outcome.keys() == start.keys(), "outcome changes the names of the parameters"
        after = _named("turn", parameters) | _named("outcome", outcome)
        yield _named("memory", memory) | _named("trained", trained) | after


def part(state: Tensors, name: str) -> Tensors:
    """What :func:`follow` yields of one kind: ``memory``, ``step``, ``trained``, ``turn`` or ``outcome``."""
    return {key.partition(":")[2]: value for key, value in state.items() if key.startswith(f"{name}:")}


def _both(hook: str, start: Tensors, given_back: Any) -> tuple[Tensors, Tensors]:
    """The parameters, by the names they had, and the memory."""
    both = isinstance(given_back, tuple) and len(given_back) == 2
    assert both, f"{hook} gives back {type(given_back).__name__}, not the parameters and the memory"
    parameters, memory = given_back
    assert parameters.keys() == start.keys(), f"{hook} changes the names of the parameters"
    return parameters, memory


def _named(kind: str, tensors: Tensors) -> Tensors:
    return {f"{kind}:{name}": tensor for name, tensor in tensors.items()}
