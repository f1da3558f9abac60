"""From what was typed to what a plan takes."""

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.core.errors import BadSetting
from holdfast.core.plain import short
from holdfast.core.settings import at_most

if TYPE_CHECKING:
    from holdfast.data.source import Source

DIGITS = 100  # of a number that Python would not refuse to read
WORKERS = 1024


def vectors_of(asked: str, source: "Source", data_dir: Path | None) -> str | None:
    """'auto' takes glove-100d where it lies, for all texts but planted ones, whose words are few."""
    if asked != "auto":
        return None if asked == "none" else asked
    from holdfast.core.errors import BadData
    from holdfast.data.source import modality_of
    from holdfast.data.text.vectors import locate
    from holdfast.study.command import is_planted

    if is_planted(source.data) or "vectors" not in modality_of(source).reads:
        return None
    try:
        locate("glove-100d", data_dir)
    except BadData:
        return None
    return "glove-100d"


def count_of(text: str) -> int | None:
    if text == "all":
        return None
    if not text.isdecimal() or len(text) > DIGITS:
        raise BadSetting(f"expected --instances to be a whole number or 'all', but got '{short(text)}'")
    return int(text)


def workers_of(asked: int | None) -> int | None:
    if asked is not None and asked < 1:
        raise BadSetting(f"expected --workers to be 1 or more, but got {asked}")
    at_most("expected --workers", asked, WORKERS)
    return asked


def device_of(asked: str) -> str:
    if asked not in ("auto", "cpu", "cuda"):
        raise BadSetting(f"expected --device to be auto, cpu or cuda, but got '{short(asked)}'")
    if asked == "cpu":
        return asked
    import torch

    there = torch.cuda.is_available()
    if asked == "cuda" and not there:
        raise BadSetting("expected a GPU for --device cuda, but torch sees none: use --device cpu")
    return "cuda" if there else "cpu"
