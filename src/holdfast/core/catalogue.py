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

from holdfast.core.errors import BadSetting, UnknownName
from holdfast.core.outside import loaded
from holdfast.core.settings import build, label, name_of, split_joined, split_label


class Kind(NamedTuple):
    """One kind of method: where its files are, the interface they implement, the class that holds several of
    them written ``a+b``, where that means something, and what makes a method of a class that is none."""

    one: str
    packages: tuple[str, ...]
    base: str
    joined: str | None = None
    fits: str | None = None


MODELS = tuple(f"holdfast.models.{name}" for name in ("text", "image", "interaction", "features"))
KINDS = {
    "models": Kind(
        "model", MODELS, "holdfast.models.base:Architecture", fits="holdfast.models.adapters.adapt:fitted"
    ),
    "repairs": Kind(
        "repair", ("holdfast.repair",), "holdfast.train.repair:Repair", "holdfast.train.composed:Composed"
    ),
    "explainers": Kind("explainer", ("holdfast.explain",), "holdfast.explain.base:Explainer"),
    "comparisons": Kind("comparison", ("holdfast.core.compare",), "holdfast.core.compare.base:Comparison"),
    "probes": Kind("probe", ("holdfast.measure.probes",), "holdfast.measure.probes.base:AnyProbe"),
    "perturbations": Kind(
        "perturbation", ("holdfast.data.perturb",), "holdfast.data.perturb.base:Perturbation"
    ),
    "studies": Kind("study", ("holdfast.studies",), "holdfast.studies.base:Study"),
    "optimisers": Kind("optimiser", ("holdfast.train.optimise",), "holdfast.train.optimise:Optimiser"),
}


@cache
def catalogue(kind: str) -> dict[str, type]:
    """Every method of one kind, by name, in alphabetical order.

    >>> "jensen_shannon" in catalogue("comparisons")
    True
    """
    base, packages = base_of(kind), KINDS[kind].packages
    home = importlib.import_module(base.__module__)
    classes: dict[str, type] = {}
    for module in (home, *(module for package in packages for module in _modules(package))):
        for cls in vars(module).values():
            if _is_method(cls, base) and cls.__module__ == module.__name__:
                classes[name_of(cls)] = cls
    return dict(sorted(classes.items()))


def make(kind: str, text: str) -> Any:
    """The method written as ``name:key=value,…``, or several repairs as ``name:key=value,…+name…``.

    >>> make("comparisons", "jaccard:fraction=0.1").fraction
    0.1

    ``module:Class,key=value,…`` is a class outside the package that :func:`holdfast.core.admit.admit` has
    loaded; nothing is loaded here, as texts may come from a file that anybody wrote.
    """
    joined = KINDS[kind].joined
    made = tuple(_make(kind, part) for part in _pieces(kind, text))
    return made[0] if len(made) == 1 or joined is None else _named(joined)(made)


def canonical(kind: str, text: str) -> str:
    """The written form with settings as the method has them: one spelling for one method.

    >>> canonical("comparisons", "jaccard:fraction=.10")
    'jaccard:fraction=0.1'
    """
    make(kind, text)  # joined, some refuse each other
    return "+".join(_spelt(kind, piece) for piece in _pieces(kind, text))


def is_known(kind: str, text: str) -> bool:
    """Whether :func:`make` can make it: it is of the package, or was loaded."""
    names = [split_label(piece)[0] for piece in _pieces(kind, text)]
    return all(name in catalogue(kind) or loaded(name) is not None for name in names)


def base_of(kind: str) -> type:
    """The interface that methods of one kind implement."""
    if kind not in KINDS:
        raise UnknownName("kind", kind, KINDS)
    return _named(KINDS[kind].base)  # type: ignore[no-any-return]


def fitted(kind: str, cls: type) -> type:
    """A class outside the package as a method of this kind: as it is, or what can be made of it."""
    fits = KINDS[kind].fits
    if fits is None or issubclass(cls, base_of(kind)):
        return cls
    return _named(fits)(cls)  # type: ignore[no-any-return]


def _pieces(kind: str, text: str) -> tuple[str, ...]:
    known = catalogue(kind)
    return (text,) if KINDS[kind].joined is None else split_joined(text, known)


def _spelt(kind: str, text: str) -> str:
    name = split_label(text)[0]
    return label(_make(kind, text), name if ":" in name else "")


def _make(kind: str, text: str) -> Any:
    name, settings = split_label(text)
    known, part = catalogue(kind), loaded(name)
    if name in known:
        return build(known[name], settings)
    if part is not None and issubclass(cls := fitted(kind, part.cls), base_of(kind)):
        return build(cls, settings)
    if ":" in name:
        raise BadSetting(
            f"{name} is not part of holdfast, and code is only loaded when it is named: give this "
            f"{KINDS[kind].one} as package.module:Class or ./file.py:Class, or as an object in Python"
        )
    raise UnknownName(KINDS[kind].one, name, known)


def _named(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)


def _modules(package: str) -> list[ModuleType]:
    root = importlib.import_module(package)
    files = pkgutil.iter_modules(getattr(root, "__path__", []), f"{package}.")
    return [root, *(importlib.import_module(info.name) for info in files)]


def _is_method(cls: object, base: type) -> bool:
    return inspect.isclass(cls) and issubclass(cls, base) and not inspect.isabstract(cls) and cls is not base
