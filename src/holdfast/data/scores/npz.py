"""Scores in a file of NumPy: an array for each thing that is given, by its name."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from holdfast.core.errors import BadData
from holdfast.data.arrays import read_arrays
from holdfast.data.reading import listed, shown

ONE = ("mask", "tokens", "probabilities", "labels", "target", "classes", "signed")
BY_EXPLAINER = ("scores", "untrained")
WANTED = "arrays of numbers, and tokens and classes as arrays of text (dtype U, rows padded with '')"


def read_npz(path: Path) -> dict[str, Any]:
    """What a file gives, as :func:`bring` takes it; of several explainers the arrays are ``scores/NAME``."""
    names: list[str] = []

    def choose(known: Sequence[str]) -> Sequence[str]:
        names[:] = _known(path, known)
        return names

    arrays = read_arrays(path, choose, WANTED)
    given: dict[str, Any] = {}
    for name, array in zip(names, arrays, strict=True):
        kind, slash, explainer = name.partition("/")
        if slash:
            given.setdefault(kind, {})[explainer] = array
        else:
            given[kind] = array
    if "classes" in given:
        given["classes"] = given["classes"].tolist()
    if "signed" in given:
        given["signed"] = bool(given["signed"].any())
    return given


def _known(path: Path, names: Sequence[str]) -> Sequence[str]:
    """All names, if each of them means something and none is there in both forms."""
    for name in names:
        kind, slash, explainer = name.partition("/")
        if kind not in BY_EXPLAINER if slash else kind not in (*ONE, *BY_EXPLAINER):
            known = listed([*BY_EXPLAINER, *ONE, "scores/NAME", "untrained/NAME"])
            raise BadData(f"{path} has an array named {shown(name)}: known are {known}")
        if slash and (not explainer or kind in names):
            raise BadData(f"{path} has {shown(kind)} both as one array and by explainer: leave one out")
    if not any(name.partition("/")[0] == "scores" for name in names):
        raise BadData(f"{path} has no array named 'scores': expected it, or 'scores/NAME' for each explainer")
    return names
