"""From what was typed to what a plan takes."""

from typing import Literal

from holdfast.core.errors import BadSetting
from holdfast.core.plain import short
from holdfast.core.settings import at_most

DIGITS = 100  # of a number that Python would not refuse to read
WORKERS = 1024


def count_of(text: str) -> int | None:
    if text == "all":
        return None
    if not text.isdecimal() or len(text) > DIGITS:
        raise BadSetting(f"expected --instances to be a whole number or 'all', but got '{short(text)}'")
    return int(text)


def length_of(text: str | None) -> int | Literal["all"] | None:
    if text is None:
        return None
    if text == "all":
        return "all"
    if not text.isdecimal() or len(text) > DIGITS:
        raise BadSetting(f"expected --length to be a whole number or 'all', but got '{short(text)}'")
    return int(text)


def workers_of(workers: int | None) -> int | None:
    if workers is not None and workers < 1:
        raise BadSetting(f"expected --workers to be 1 or more, but got {workers}")
    at_most("expected --workers", workers, WORKERS)
    return workers


def share_of(option: str, value: float | None) -> float | None:
    if value is not None and not 0 <= value <= 1:
        raise BadSetting(f"expected {option} between 0 and 1, but got {value}")
    return value
