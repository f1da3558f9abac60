"""Rows of interactions that say the same as another: user, item and time."""

from typing import Literal

from holdfast.core.errors import BadSetting
from holdfast.data.interaction.interactions import Interactions

Repeats = Literal["keep", "drop"]


def check_repeats(repeats: str | None) -> None:
    """Refuse what is no choice."""
    if repeats not in (None, "keep", "drop"):
        raise BadSetting(f"expected repeats to be keep or drop, but got '{repeats}'")


def without_repeats(
    interactions: Interactions, repeats: Repeats | None, name: str
) -> tuple[Interactions, list[str]]:
    """The interactions with or without repeats, and a sentence that says which, where there are any. Where
    there is no choice, as for a named set, they are kept."""
    if repeats == "drop" and interactions.time is None:
        raise BadSetting(
            f"--repeats drop needs times to know which rows repeat another, but '{name}' has none: "
            "name their column with --time, or leave it out"
        )
    again = interactions.repeats
    count = int(again.sum())
    if not count:
        return interactions, []
    rows = "1 row repeats" if count == 1 else f"{count:,} rows repeat"
    said = f"{rows} another (user, item and time)"
    if repeats == "drop":
        return interactions.keep(~again), [f"{said}: dropped."]
    choice = " (--repeats drop drops them)" if repeats == "keep" else ""
    return interactions, [f"{said}: each counts as an interaction of its own{choice}."]
