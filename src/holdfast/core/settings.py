"""Methods are frozen dataclasses: fields are settings, ``name:key=value,…`` is their written form."""

import dataclasses
import math
import re
import types
import typing
from collections.abc import Container
from typing import Any, TypeVar

from holdfast.core.errors import BadSetting, UnknownName
from holdfast.core.plain import short

Method = TypeVar("Method")
MOST = 10**9  # a count beyond this cannot be held in memory or run, whatever it counts
DIGITS = 18  # of a whole number that fits into 64 bits
PATHS = ("hf",)  # names that a folder may follow without its key: hf:FOLDER
FALSE, TRUE = ("false", "no", "off", "0"), ("true", "yes", "on", "1")


def name_of(cls: type) -> str:
    """``LeaveOneOut`` → ``leave_one_out``, unless the class sets a class variable ``name``.

    >>> class LeaveOneOut: pass
    >>> name_of(LeaveOneOut)
    'leave_one_out'
    """
    name = cls.__dict__.get("name")
    return name if isinstance(name, str) else re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


def label(method: object, name: str = "") -> str:
    """The written form of a method: its name and the settings that differ from the defaults.

    ``name`` is that of a class outside the package, ``module:Class``.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Cnn:
    ...     filters: int = 32
    ...     kernels: tuple[int, ...] = (1, 3)
    >>> label(Cnn()), label(Cnn(filters=8, kernels=(3, 5)))
    ('cnn', 'cnn:filters=8,kernels=3+5')

    A composed method is written as its parts, joined by ``+``.
    """
    parts = parts_of(method)
    if parts:
        return "+".join(map(label, parts))
    changed = [
        f"{f.name}={_write(getattr(method, f.name))}"
        for f in dataclasses.fields(method)  # type: ignore[arg-type]
        if getattr(method, f.name) != f.default
    ]
    return _written(name or name_of(type(method)), changed)


def defaults(cls: type) -> dict[str, str]:
    """Every setting of a method with its default, in written form.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Cnn:
    ...     kernels: tuple[int, ...] = (1, 3)
    >>> defaults(Cnn)
    {'kernels': '1+3'}
    """
    return {
        f.name: _write(f.default) for f in dataclasses.fields(cls) if f.default is not dataclasses.MISSING
    }


def at_most(what: str, value: int | None, most: int = MOST) -> None:
    """Refuse a count that is too large to hold in memory or to run.

    >>> at_most("cnn: expected filters", 10**13, 65_536)
    Traceback (most recent call last):
    ...
    holdfast.core.errors.BadSetting: cnn: expected filters to be at most 65,536, but got 10,000,000,000,000
    """
    if value is not None and value > most:
        came = f"{value:,}" if value < 10**18 else "a much larger number"
        raise BadSetting(f"{what} to be at most {most:,}, but got {came}")


def split_label(text: str) -> tuple[str, dict[str, str]]:
    """Cut ``name:key=value,…`` or ``module:Class,key=value,…`` into its parts.

    >>> split_label("cnn:attention=dot,filters=8")
    ('cnn', {'attention': 'dot', 'filters': '8'})
    >>> split_label("./mine.py:Mine,k=3")
    ('./mine.py:Mine', {'k': '3'})
    >>> split_label("hf:checkpoints/mine,trains=all")
    ('hf', {'path': 'checkpoints/mine', 'trains': 'all'})
    """
    name, _, rest = text.strip().partition(":")
    first, _, others = rest.partition(",")
    if name in PATHS and first and "=" not in first:
        rest = f"path={rest}"
    elif _is_class(name, first.strip()):
        name, rest = f"{name}:{first.strip()}", others
    settings = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise BadSetting(f"expected 'key=value' after '{name}:', but got '{part}'")
        settings[key.strip()] = value.strip()
    return name, settings


def split_list(text: str) -> tuple[str, ...]:
    """Cut a list of methods at its commas; ``key=value`` without a name belongs to the method before it.

    >>> split_list("cnn:attention=dot,filters=8,bilstm")
    ('cnn:attention=dot,filters=8', 'bilstm')
    >>> split_list("naswa:per=tensor,swa:start=0,factor=2+aswa:key=1")
    ('naswa:per=tensor', 'swa:start=0,factor=2+aswa:key=1')
    """
    methods: list[str] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        if methods and "=" in part.partition(":")[0]:
            methods[-1] += f",{part}"
        else:
            methods.append(part)
    return tuple(methods)


def split_joined(text: str, known: Container[str]) -> tuple[str, ...]:
    """Cut several methods at ``+``; what is no name after a setting is more of its value.

    >>> split_joined("balanced+aswa", {"aswa"}), split_joined("cnn:kernels=3+5+swa:start=0", {"swa"})
    (('balanced', 'aswa'), ('cnn:kernels=3+5', 'swa:start=0'))
    """
    labels: list[str] = []
    for part in text.split("+"):
        name = split_label(part)[0]
        if labels and "=" in labels[-1] and name not in known and ":" not in name:
            labels[-1] += f"+{part}"
        else:
            labels.append(part)
    return tuple(labels)


def mentions(text: str, name: str) -> bool:
    """Whether a method of this name is among those that are written.

    >>> mentions("aswa+mine.py:Mine,k=3", "mine.py:Mine"), mentions("mine.py:Miner", "mine.py:Mine")
    (True, False)
    """
    return any(part == name or part.startswith((f"{name}:", f"{name},")) for part in text.split("+"))


def build(cls: type[Method], settings: dict[str, str]) -> Method:
    """Make a method from written settings, each read by its field's type.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Cnn:
    ...     filters: int = 32
    >>> build(Cnn, {"filters": "8"})
    Cnn(filters=8)
    """
    hints = typing.get_type_hints(cls)
    known = {f.name: f for f in dataclasses.fields(cls) if f.init}  # type: ignore[arg-type]
    for key in settings:
        if key not in known:
            raise UnknownName(f"setting of {name_of(cls)}", key, known)
    for key, field in known.items():
        if key not in settings and field.default is field.default_factory is dataclasses.MISSING:
            raise BadSetting(f"{name_of(cls)}: expected a value for {key}, which has no default: add {key}=…")
    return cls(**{key: _read(cls, key, value, hints[key]) for key, value in settings.items()})


def _is_class(home: str, word: str) -> bool:
    """Whether ``home:word`` names a class of a module or a file; settings have a ``=``, built-in names no
    dots, and classes a capital."""
    written = word.replace(".", "").isidentifier()
    return bool(home) and written and ("." in home or word.rpartition(".")[2][:1].isupper())


def _written(name: str, settings: list[str]) -> str:
    sign = "," if ":" in name else ":"
    return f"{name}{sign}{','.join(settings)}" if settings else name


def parts_of(method: object) -> tuple[object, ...]:
    """The methods that a composed method holds in its only field; empty for any other method."""
    values = [getattr(method, f.name) for f in dataclasses.fields(method)]  # type: ignore[arg-type]
    if len(values) != 1 or not isinstance(values[0], tuple):
        return ()
    return values[0] if all(map(dataclasses.is_dataclass, values[0])) else ()


def _write(value: Any) -> str:
    if isinstance(value, tuple):
        return "+".join(map(_write, value))
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _read(cls: type, key: str, text: str, hint: Any) -> Any:
    try:
        return _parse(text, hint)
    except (ValueError, TypeError):  # a field of somebody's own class may have any type
        long = len(text) > DIGITS and text.lstrip("-").isdecimal()
        wanted = _expected(hint) + (f" of at most {DIGITS} digits" if long else "")
        raise BadSetting(f"{name_of(cls)}: expected {key} to be {wanted}, but got '{short(text)}'") from None


def _expected(hint: Any) -> str:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return f"one or more of these, joined by +: {_expected(args[0])}"
    if origin is typing.Literal:
        return " or ".join(filter(None, [", ".join(args[:-1]), args[-1]]))
    if origin in (typing.Union, types.UnionType):
        return " or ".join("none" if a is type(None) else _expected(a) for a in args)
    return {int: "a whole number", float: "a number", bool: "true or false"}.get(hint, str(hint))


def _parse(text: str, hint: Any) -> Any:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        none = not text and args[0] is str
        return () if none else tuple(_parse(part, args[0]) for part in text.split("+"))
    if origin is typing.Literal:
        if text not in args:
            raise ValueError(text)
        return text
    if origin in (typing.Union, types.UnionType):
        if type(None) in args and text == "none":
            return None
        return _first_of(text, [a for a in args if a is not type(None)])
    if hint is bool:
        if text.lower() not in FALSE + TRUE:
            raise ValueError(text)
        return text.lower() in TRUE
    value = hint(text)
    if (hint is int and abs(value) >= 10**DIGITS) or (hint is float and not math.isfinite(value)):
        raise ValueError(text)
    return value


def _first_of(text: str, hints: list[Any]) -> Any:
    """As the first type that can be read from the text."""
    for hint in hints[:-1]:
        try:
            return _parse(text, hint)
        except (ValueError, TypeError):
            continue
    return _parse(text, hints[-1])
