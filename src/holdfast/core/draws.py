"""Randomness as data: every draw is named, and seeds a fresh generator.

No generator state is kept anywhere, so a member's draws do not depend on its neighbours, on the number of
workers, or on what ran before: resuming is exact.
"""

from hashlib import blake2b

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Member


def seed_of(member: Member | None, name: str, *counters: int) -> int:
    """A 63-bit seed for this draw; ``None`` names a draw that all members share.

    >>> seed_of(Member(0), "order", 1) == seed_of(Member(0), "order", 1)
    True
    >>> seed_of(Member(0), "order", 1) == seed_of(Member(1), "order", 1)
    False
    """
    owner = ("all",) if member is None else (str(member.seed), str(member.fold))
    text = "\x1f".join((*owner, name, *map(str, counters)))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def generator(member: Member | None, name: str, *counters: int) -> torch.Generator:
    """A fresh CPU generator for this draw."""
    return torch.Generator().manual_seed(seed_of(member, name, *counters))


def uniform(shape: tuple[int, ...], member: Member | None, name: str, *counters: int) -> Float[Tensor, "..."]:
    """Uniform numbers in [0, 1)."""
    return torch.rand(shape, generator=generator(member, name, *counters))


def fill_uniform(
    buffer: Float[Tensor, "..."], rng: torch.Generator, member: Member, name: str, *counters: int
) -> None:
    """Fill a buffer with uniform numbers in [0, 1) on its own device; a GPU draws other numbers than a CPU.

    ``rng`` is a generator of that device; it is seeded afresh, so its state does not matter.
    """
    buffer.uniform_(generator=rng.manual_seed(seed_of(member, name, *counters)))


def permutation(n: int, member: Member | None, name: str, *counters: int) -> Int[Tensor, "n"]:
    """A random order of ``n`` things."""
    return torch.randperm(n, generator=generator(member, name, *counters))
