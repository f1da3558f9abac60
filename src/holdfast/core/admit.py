"""What a person gave, a text or an object, becomes the written form that plans have; code that it names is
loaded on the way."""

import dataclasses
import inspect
from typing import Any

from holdfast.core.catalogue import KINDS, base_of, canonical, catalogue, fitted, make
from holdfast.core.errors import BadSetting, HoldfastError, UnknownName
from holdfast.core.outside import Part, keep, load, part_of
from holdfast.core.plain import short
from holdfast.core.plugins import Plugin, plugins
from holdfast.core.settings import label, name_of, parts_of, split_joined, split_label


def admit(kind: str, given: Any) -> str:
    """The written form of a method: one of the package, ``package.module:Class``, ``./file.py:Class``, the
    name of an entry point, each with settings; or an object.

    >>> from holdfast.core.compare.jaccard import Jaccard
    >>> admit("comparisons", "jaccard:fraction=.10"), admit("comparisons", Jaccard(fraction=0.1))
    ('jaccard:fraction=0.1', 'jaccard:fraction=0.1')

    Call this for what somebody typed or passed, never for what was read from a file.
    """
    if not isinstance(given, str):
        return _object(kind, given)
    offered = {*catalogue(kind), *plugins(kind)}
    pieces = (given,) if KINDS[kind].joined is None else split_joined(given, offered)
    return canonical(kind, "+".join(_text(kind, piece) for piece in pieces))


def load_plugin(kind: str, plugin: Plugin) -> Part:
    """The class that an entry point names."""
    try:
        return _checked(kind, load(plugin.value))
    except HoldfastError as error:
        raise BadSetting(f"{plugin.name} of {plugin.package} cannot be used: {error}") from error


def _text(kind: str, text: str) -> str:
    name, settings = split_label(text)
    if name in catalogue(kind):
        return text
    if name in plugins(kind):
        part = load_plugin(kind, plugins(kind)[name])
    elif ":" in name:
        part = _checked(kind, load(name))
    else:
        raise UnknownName(KINDS[kind].one, name, {*catalogue(kind), *plugins(kind)})
    return ",".join([part.name, *(f"{key}={value}" for key, value in settings.items())])


def _object(kind: str, given: object) -> str:
    if parts := parts_of(given) if dataclasses.is_dataclass(given) else ():
        return "+".join(admit(kind, part) for part in parts)
    cls = type(given)
    if catalogue(kind).get(name_of(cls)) is cls:
        return label(given)
    text = label(given, _checked(kind, part_of(cls)).name)
    if not _comes_back(kind, text, given):
        raise BadSetting(
            f"expected a {KINDS[kind].one} whose settings can be written as key=value, but got {short(text)}"
        )
    return text


def _comes_back(kind: str, text: str, given: object) -> bool:
    try:
        return bool(make(kind, text) == given)
    except HoldfastError:
        return False


def _checked(kind: str, part: Part) -> Part:
    """Refuse a class that is no method of this kind, or not a whole one."""
    one, base, cls = KINDS[kind].one, base_of(kind), fitted(kind, part.cls)
    if not issubclass(cls, base):
        raise BadSetting(
            f"{part.name} is not a kind of {one}: expected a subclass of {base.__module__}.{base.__name__}"
        )
    if inspect.isabstract(cls):
        raise BadSetting(f"{part.name}: expected a whole {one}, but it lacks {_lacks(cls)}: write it")
    if not (dataclasses.is_dataclass(cls) and cls.__dataclass_params__.frozen):  # type: ignore[attr-defined]
        raise BadSetting(f"{part.name}: expected a frozen dataclass: write @dataclass(frozen=True) above it")
    keep(part)
    return part


def _lacks(cls: type) -> str:
    return " and ".join(sorted(cls.__abstractmethods__))  # type: ignore[attr-defined]
