"""Name → class, found in the files of a package or two. There is no registry: a new file is a new name.

Packages are named by their dotted path and imported only when asked for, so nothing here depends on what
lies to its right.
"""

import importlib
import inspect
import pkgutil
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

from holdfast.core.errors import UnknownName
from holdfast.core.settings import build, name_of, split_joined, split_label


class Kind(NamedTuple):
    """One kind of method: where its files are, the interface they implement, and the class that holds several
    of them written ``a+b``, where that means something."""

    one: str
    packages: tuple[str, ...]
    base: str
    joined: str | None = None


MODELS = ("holdfast.models.text", "holdfast.models.image", "holdfast.models.interaction")
KINDS = {
    "models": Kind("model", MODELS, "holdfast.models.base:Architecture"),
    "repairs": Kind(
        "repair", ("holdfast.repair",), "holdfast.train.repair:Repair", "holdfast.train.composed:Composed"
    ),
    "explainers": Kind("explainer", ("holdfast.explain",), "holdfast.explain.base:Explainer"),
    "comparisons": Kind("comparison", ("holdfast.core.compare",), "holdfast.core.compare.base:Comparison"),
    "probes": Kind("probe", ("holdfast.measure.probes",), "holdfast.measure.probes.base:Probe"),
    "studies": Kind("study", ("holdfast.studies",), "holdfast.studies.base:Study"),
    "optimisers": Kind("optimiser", ("holdfast.train.optimise",), "holdfast.train.optimise:Optimiser"),
}


@cache
def catalogue(kind: str) -> dict[str, type]:
    """Every method of one kind, by name, in alphabetical order.

    >>> "jensen_shannon" in catalogue("comparisons")
    True
    """
    if kind not in KINDS:
        raise UnknownName("kind", kind, KINDS)
    _, packages, base_path, _ = KINDS[kind]
    base = _named(base_path)
    home = importlib.import_module(base.__module__)
    found: dict[str, type] = {}
    for module in (home, *(module for package in packages for module in _modules(package))):
        for cls in vars(module).values():
            if _is_method(cls, base) and cls.__module__ == module.__name__:
                found[name_of(cls)] = cls
    return dict(sorted(found.items()))


def make(kind: str, text: str) -> Any:
    """The method written as ``name:key=value,…``, or several repairs as ``name:key=value,…+name…``.

    >>> make("comparisons", "jaccard:fraction=0.1").fraction
    0.1
    """
    known = catalogue(kind)
    joined = KINDS[kind].joined
    parts = (text,) if joined is None else split_joined(text, known)
    made = tuple(_make(kind, part) for part in parts)
    return made[0] if len(made) == 1 or joined is None else _named(joined)(made)


def _make(kind: str, text: str) -> Any:
    name, settings = split_label(text)
    known = catalogue(kind)
    if name not in known:
        raise UnknownName(KINDS[kind].one, name, known)
    return build(known[name], settings)


def _named(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)


def _modules(package: str) -> list[ModuleType]:
    root = importlib.import_module(package)
    files = pkgutil.iter_modules(getattr(root, "__path__", []), f"{package}.")
    return [root, *(importlib.import_module(info.name) for info in files)]


def _is_method(cls: object, base: type) -> bool:
    return inspect.isclass(cls) and issubclass(cls, base) and not inspect.isabstract(cls) and cls is not base
