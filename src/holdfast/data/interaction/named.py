"""Histories with the names of their users and items, before anything is held out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from jaxtyping import Bool, Int
from torch import Tensor

from holdfast.data.interaction.filters import Filter, thinned
from holdfast.data.interaction.histories import Histories
from holdfast.data.interaction.interactions import Interactions
from holdfast.data.interaction.repeats import Repeats, without_repeats
from holdfast.data.names import Names


@dataclass(frozen=True, eq=False)
class NamedHistories:
    """Histories with the names of their users and items, and what is known of them: ``ages`` are those of
    :func:`holdfast.data.interaction.ages.group`; ``others`` are the items that the test ranks the last one
    among, where somebody chose them."""

    histories: Histories
    users: Names
    items: Names
    titles: Names | None = None
    genres: Names | None = None
    causes: Mapping[str, Bool[Tensor, "L"]] | None = None
    notes: tuple[str, ...] = ()
    ages: Int[Tensor, "N"] | None = None
    others: Int[Tensor, "N C"] | None = None

    def keep(self, users: Bool[Tensor, "N"], note: str) -> "NamedHistories":
        """Some of the users only; all items stay."""
        causes = self.causes
        if causes is not None:
            interactions = users.repeat_interleave(self.histories.lengths)
            causes = {name: marks[interactions] for name, marks in causes.items()}
        return replace(
            self,
            histories=self.histories.keep(users),
            users=self.users.take(users.nonzero()[:, 0]),
            causes=causes,
            notes=(*self.notes, note),
            ages=None if self.ages is None else self.ages[users],
            others=None if self.others is None else self.others[users],
        )


def named_histories(
    interactions: Interactions,
    choice: Filter,
    name: str,
    notes: Sequence[str] = (),
    repeats: Repeats | None = None,
) -> NamedHistories:
    """The histories of interactions, without rare users and items, and without repeats where asked."""
    unique, told = without_repeats(interactions, repeats, name)
    left, dropped = thinned(unique, choice, name)
    sizes = f"There are {len(left.users):,} users, {len(left.items):,} items and {len(left):,} interactions."
    notes = (*notes, *told, *(dropped or [sizes]), *_tied(left.tied, len(left.users)))
    return NamedHistories(left.histories(), left.users, left.items, left.titles, left.genres, None, notes)


def _tied(count: int, users: int) -> list[str]:
    if not count:
        return []
    share = f"{count:,} of {users:,} users ({100 * count / users:.0f} %)"
    return [
        f"The last two interactions of {share} share a time: which of them is the last is the order of rows."
    ]
