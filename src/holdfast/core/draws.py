"""Randomness as data: every draw is named, and seeds a fresh generator.

No generator state is kept anywhere, so a member's draws do not depend on its neighbours, on the number of
workers, or on what ran before: resuming is exact.
"""

from hashlib import blake2b

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Member

WORD = 0xFFFFFFFF


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


def expanded(drawn: Float[Tensor, "B 2"], count: int, turn: int = 0) -> Float[Tensor, "B count"]:
    """``count`` uniform numbers in [0, 1) from each pair of drawn ones, where only a later place knows how
    many are wanted; another ``turn`` gives others.

    A hash of the pair, the turn and the place: twice Wellons's mixer of 32 bits.

    >>> expanded(torch.tensor([[0.25, 0.5]]), 3)
    tensor([[0.9960, 0.6284, 0.6110]])
    """
    first, second = (drawn * 2**24).long().unsqueeze(-1).unbind(-2)
    place = torch.arange(count, device=drawn.device)
    bits = _mixed(
        (_mixed((first + place * 0x9E3779B1) & WORD) + second * 0x85EBCA6B + turn * 0xC2B2AE35) & WORD
    )
    return (bits >> 8).to(drawn.dtype) / 2**24


def normal(drawn: Float[Tensor, "B 2"], count: int, turn: int = 0) -> Float[Tensor, "B count"]:
    """The same, of the standard normal distribution (Box & Muller 1958)."""
    both = expanded(drawn, 2 * count, turn)
    first, second = both[..., ::2], both[..., 1::2]
    return (-2 * (1 - first).log()).sqrt() * (2 * torch.pi * second).cos()


def _mixed(bits: Int[Tensor, "*N"]) -> Int[Tensor, "*N"]:
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        bits = ((bits ^ (bits >> shift)) * factor) & WORD
    return bits ^ (bits >> 16)


def permutation(n: int, member: Member | None, name: str, *counters: int) -> Int[Tensor, "n"]:
    """A random order of ``n`` things."""
    return torch.randperm(n, generator=generator(member, name, *counters))
