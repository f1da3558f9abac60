"""Families that train side by side: one thread gives each of them a step in turn.

A small network leaves a GPU idle, so each family has a stream of its own. Threads would do harm: while one
captures a CUDA graph, no other may copy or replay.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext

import torch


def take_turns(families: Iterable[Iterator[object]], at_once: int, device: str) -> None:
    """Advance ``at_once`` families by a step each, again and again, until all have ended.

    >>> steps = lambda name, n: (said.append(f"{name}{step}") for step in range(n))
    >>> said = []
    >>> take_turns([steps("a", 3), steps("b", 1), steps("c", 2)], at_once=2, device="cpu")
    >>> said
    ['a0', 'b0', 'a1', 'a2', 'c0', 'c1']
    """
    waiting = deque(families)
    running = deque[tuple[Iterator[object], torch.cuda.Stream | None]]()
    while waiting or running:
        while waiting and len(running) < at_once:
            running.append((waiting.popleft(), _stream(device)))
        steps, stream = running.popleft()
        with _on(stream):
            try:
                next(steps)
            except StopIteration:
                continue
        running.append((steps, stream))


def _stream(device: str) -> torch.cuda.Stream | None:
    return None if device == "cpu" else torch.cuda.Stream(device)  # type: ignore[no-untyped-call]


def _on(stream: torch.cuda.Stream | None) -> AbstractContextManager[object]:
    return nullcontext() if stream is None else torch.cuda.stream(stream)
