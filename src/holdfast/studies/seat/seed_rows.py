"""Rows of a number that every seed has of every text."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Member
from holdfast.measure.reduce import mean_over_members
from holdfast.study.attending import MakeRow
from holdfast.study.measurement import Measurement
from holdfast.study.numbers import GROUP, MEMBER


class SeedRows(NamedTuple):
    """How rows of a family are made: by ``row``, of its ``members``, of what ``probe`` measured, with the
    group of each text, and ``about`` what else."""

    row: MakeRow
    members: tuple[Member, ...]
    probe: str
    group: Int[Tensor, "K"]
    about: Mapping[str, str] = MappingProxyType({})

    def rows(
        self, quantity: str, values: Float[Tensor, "M K"], least: float, most: float
    ) -> Iterator[Measurement]:
        """By seed, and by group of texts."""
        yield from self.by_member(quantity, values.double().mean(1), least, most)
        yield from self.by_group(quantity, values.double().mean(0))

    def by_member(
        self, quantity: str, values: Float[Tensor, "M"], least: float, most: float
    ) -> Iterator[Measurement]:
        """The mean, with its interval cut to what the number can be, then each seed."""
        yield self.row(
            quantity, mean_over_members(values).within(least, most), probe=self.probe, **self.about
        )
        for member, value in zip(self.members, values.tolist(), strict=True):
            place = {"by": MEMBER, "member": str(member.seed), "n": 1}
            yield self.row(quantity, value, probe=self.probe, **self.about, **place)

    def by_group(self, quantity: str, values: Float[Tensor, "K"]) -> Iterator[Measurement]:
        """The mean of each group of texts."""
        for number in sorted(set(self.group.tolist())):
            chosen = values[self.group == number]
            place = {"by": GROUP, "bin": str(number), "n": len(chosen)}
            yield self.row(quantity, float(chosen.mean()), probe=self.probe, **self.about, **place)
