"""Where the files of methods lie on this machine: plans name them by their SHA-256 and no folder."""

from collections.abc import Mapping
from pathlib import Path

_PLACES: dict[str, Path] = {}  # as sys.modules is, for what plans and other processes call by digest


def remember(digest: str, path: Path) -> None:
    """From now on the files with this digest are known to lie there."""
    _PLACES[digest] = path.absolute()


def place_of(digest: str) -> Path | None:
    """Where the files with this digest lie, if this process was told."""
    return _PLACES.get(digest)


def places() -> dict[str, str]:
    """All that this process was told, in plain values, for another.

    >>> isinstance(places(), dict)
    True
    """
    return {digest: str(path) for digest, path in _PLACES.items()}


def learn(known: Mapping[str, str]) -> None:
    """What another process was told."""
    for digest, path in known.items():
        remember(digest, Path(path))
