"""The SHA-256 of values and of functions that no file tells of, such as those of a notebook."""

import functools
import hashlib
import types
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from torch import Tensor

DEPTH = 8
PLAIN = (type(None), bool, int, float, complex, str, bytes)


def digest(value: Any) -> str:
    """Of numbers, texts, arrays, tables, and of what holds them; of a function its code, its defaults and
    what it takes from around it. What holds none of these counts by its type.

    >>> digest([1, "a"]) == digest([1, "a"]), digest([1, "a"]) == digest(["1", "a"])
    (True, False)
    >>> def times(k): return lambda x: k * x
    >>> digest(times(2)) == digest(times(2)), digest(times(2)) == digest(times(3))
    (True, False)
    """
    total = hashlib.sha256()
    for part in _parts(value, DEPTH, frozenset()):
        total.update(len(part).to_bytes(8, "big") + part)
    return total.hexdigest()


def _parts(value: Any, depth: int, seen: frozenset[int]) -> list[bytes]:
    kind = type(value)
    name = f"{kind.__module__}.{kind.__qualname__}".encode()
    if isinstance(value, PLAIN):
        return [name, repr(value).encode("utf-8", "surrogatepass")]
    if depth == 0 or id(value) in seen:
        return [name]
    within = [_parts(part, depth - 1, seen | {id(value)}) for part in _inside(value)]
    return [name, str(len(within)).encode(), *_raw(value), *(piece for parts in within for piece in parts)]


def _raw(value: Any) -> list[bytes]:
    """What an array holds, or which module or class it is."""
    if isinstance(value, Tensor):
        value = value.detach().cpu().numpy()
    if isinstance(value, np.ndarray | np.generic) and value.dtype != object:
        return [str(value.dtype).encode(), str(value.shape).encode(), np.ascontiguousarray(value).tobytes()]
    if isinstance(value, types.CodeType):
        return [value.co_code, *(name.encode() for name in value.co_names)]
    return [value.__name__.encode()] if isinstance(value, type | types.ModuleType) else []


def _inside(value: Any) -> Sequence[Any]:
    """The values that this one consists of."""
    if isinstance(value, np.ndarray | np.generic):
        return value.ravel().tolist() if value.dtype == object else []
    if isinstance(value, Tensor | types.ModuleType):
        return []
    if isinstance(value, type):  # those of libraries go by their names
        return list(vars(value).values()) if value.__module__ == "__main__" else []
    if isinstance(value, Mapping):
        return [part for pair in value.items() for part in pair]
    if isinstance(value, set | frozenset):
        return sorted(digest(one) for one in value)
    if isinstance(value, list | tuple | range):
        return value
    if isinstance(value, types.CodeType):
        return value.co_consts
    if isinstance(value, types.FunctionType):
        return [value.__code__, value.__defaults__, value.__kwdefaults__, *_around(value)]
    if isinstance(value, types.MethodType):
        return [value.__func__, value.__self__]
    if isinstance(value, functools.partial):
        return [value.func, value.args, value.keywords]
    if getattr(value, "__array__", None) is not None:  # a table
        return [list(getattr(value, "columns", ())), np.asarray(value)]
    return [getattr(value, "__dict__", None)]


def _around(function: types.FunctionType) -> list[Any]:
    """The values that a function finds outside itself."""
    cells = [cell.cell_contents for cell in function.__closure__ or () if _filled(cell)]
    names = [name for name in function.__code__.co_names if name in function.__globals__]
    return [*cells, *(function.__globals__[name] for name in names)]


def _filled(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:  # of a function that refers to itself before it is made
        return False
