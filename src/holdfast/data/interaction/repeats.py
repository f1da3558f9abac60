"""Rows of interactions that say the same as another: user, item and time."""

from typing import Literal

from holdfast.core.errors import BadSetting
from holdfast.data.interaction.interactions import Interactions

Repeats = Literal["keep", "drop"]


def check_repeats(repeats: str | None) -> None:
    """Refuse what is no choice; nothing said is to keep them."""
    if repeats not in (None, "keep", "drop"):
        raise BadSetting(f"expected repeats to be keep or drop, but got '{repeats}'")


def without_repeats(
    interactions: Interactions, repeats: Repeats | None, name: str
) -> tuple[Interactions, list[str]]:
    """The interactions with or without repeats, and a sentence that says which, where there are any."""
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
    return interactions, [f"{said}: each counts as an interaction of its own (--repeats drop drops them)."]
