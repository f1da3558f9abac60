"""What a recipe explains: rows of inputs, with what is known of them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Int
from torch import Tensor

from holdfast.core.errors import BadData
from holdfast.core.files import read_tensors, write_tensors
from holdfast.core.plain import short
from holdfast.data.arrays import read_arrays
from holdfast.study.recipe.digest import digest

KEYS = ("inputs", "labels", "classes", "tokens", "names", "mask")
WANTED = 'data of a recipe to be (inputs, labels), or {"inputs": …, "labels": …} with, where there are some, '
WANTED += '"tokens" or "names" of the positions, "classes" and "mask"'
ARRAY, TENSOR, TEXTS, REST = "array", "tensor", "texts", "rest"


@dataclass(frozen=True, eq=False)
class Given:
    """Rows to explain: ``inputs`` are whatever the recipe's functions take, ``labels`` the true class of each
    row. ``tokens`` name the positions of every row, ``names`` those of all rows alike; ``mask`` (rows,
    positions) says which exist. ``classes`` name the columns of the probabilities."""

    inputs: Any
    labels: tuple[Any, ...] | None = None
    classes: tuple[str, ...] = ()
    tokens: tuple[tuple[str, ...], ...] | None = None
    names: tuple[str, ...] | None = None
    mask: Bool[Tensor, "N P"] | None = None

    def __post_init__(self) -> None:
        if not len(self):
            raise BadData("the recipe's data have no rows: expected some to explain")
        for name in ("labels", "tokens", "mask"):
            part = getattr(self, name)
            if part is not None and len(part) != len(self):
                raise BadData(f"expected {name} for {len(self)} rows of inputs, but got {len(part)}")
        if self.names is not None and self.tokens is not None:
            raise BadData("expected tokens or names, but got both: tokens differ by row, names do not")

    def __len__(self) -> int:
        return len(next(iter(self.inputs.values())) if isinstance(self.inputs, Mapping) else self.inputs)

    def take(self, rows: Int[Tensor, "K"]) -> Any:
        """Some rows of the inputs, in the form they have."""
        return take(self.inputs, rows.tolist())

    @cached_property
    def sha256(self) -> str:
        """Of all that is given."""
        rest = (self.labels, self.classes, self.tokens, self.names, self.mask)
        return digest((self.inputs, rest))

    @property
    def lengths(self) -> Bool[Tensor, "N P"] | None:
        """Which positions exist, where that is known before anything is explained."""
        if self.mask is not None:
            return self.mask
        if self.names is not None:
            return torch.ones(len(self), len(self.names), dtype=torch.bool)
        return None if self.tokens is None else mask_of([len(row) for row in self.tokens])

    def truth(self, columns: int) -> Int[Tensor, "N"] | None:
        """Each row's column of the probabilities: the place of its label among the classes, the number that
        it is, or its place among all labels in order."""
        if self.labels is None:
            return None
        names, labels = self.named(columns), set(self.labels)
        called = bool(self.classes) and {str(one) for one in labels} <= set(names)
        if labels <= set(range(columns)) and not called:
            return torch.tensor([int(one) for one in self.labels])
        unknown = [one for one in self.labels if str(one) not in names]
        if unknown:
            raise BadData(
                f"expected labels among {columns} classes, one for each column of the probabilities, but got "
                f"'{short(unknown[0])}': give the names of the columns as classes"
            )
        return torch.tensor([names.index(str(one)) for one in self.labels])

    def named(self, columns: int) -> tuple[str, ...]:
        """The names of the classes, one for each column of the probabilities."""
        if self.classes and len(self.classes) != columns:
            raise BadData(f"expected {columns} classes, as predict returns, but got {len(self.classes)}")
        several = tuple(str(one) for one in sorted(set(self.labels or ()), key=_order))
        plain = tuple(str(number) for number in range(columns))
        return self.classes or (several if len(several) == columns else plain)

    def write(self, path: Path) -> str:
        """Write everything but inputs that are neither an array of numbers nor a list of texts, and return
        the file's SHA-256."""
        mask = {} if self.mask is None else {"mask": self.mask}
        rest = {name: getattr(self, name) for name in ("labels", "classes", "tokens", "names")}
        return write_tensors(path, _portable(self.inputs) | {REST: _json(rest | {"rows": len(self)})} | mask)

    @property
    def portable(self) -> bool:
        """Whether the inputs can be written."""
        return bool(_portable(self.inputs))


def given(raw: Any) -> Given:
    """What somebody passed or returned: a pair, or a mapping with inputs.

    >>> given(([[1.0], [2.0]], ["no", "yes"])).truth(2)
    tensor([0, 1])
    """
    if isinstance(raw, tuple) and len(raw) == 2:
        raw = {"inputs": raw[0], "labels": raw[1]}
    if not isinstance(raw, Mapping) or raw.get("inputs") is None:
        came = ", ".join(map(str, raw)) if isinstance(raw, Mapping) else f"type {type(raw).__name__}"
        raise BadData(f"expected {WANTED}, but got {short(came)}")
    if unknown := [name for name in raw if name not in KEYS]:
        raise BadData(f"expected {WANTED}, but got '{short(unknown[0])}' too")
    rest = {name: raw[name] for name in KEYS[1:] if raw.get(name) is not None}
    read: dict[str, Any] = {"labels": _plain, "classes": _texts, "names": _texts}
    read |= {"tokens": _rows, "mask": _mask}
    return Given(raw["inputs"], **{name: read[name](value) for name, value in rest.items()})


def given_file(path: Path) -> Given:
    """The arrays of an .npz: inputs and, where it has them, labels, classes, names and mask."""
    kept: list[str] = []

    def choose(names: Sequence[str]) -> Sequence[str]:
        kept[:] = [name for name in names if name in KEYS]
        return kept

    arrays = read_arrays(path, choose, "an .npz with inputs and labels, as this recipe has no data()")
    return given(dict(zip(kept, arrays, strict=True)))


def read_given(path: Path, digest: str | None = None) -> Given:
    """What :meth:`Given.write` wrote; inputs that could not be written are the numbers of the rows."""
    tensors = read_tensors(path, digest)
    rest, mask = json.loads(tensors.pop(REST).numpy().tobytes()), tensors.pop("mask", None)
    rows = list(range(rest.pop("rows")))
    read: dict[str, Any] = {name: None if value is None else tuple(value) for name, value in rest.items()}
    tokens = None if read["tokens"] is None else tuple(map(tuple, read["tokens"]))
    inputs = [_read(kind, tensor) for kind, tensor in tensors.items()]
    return Given((*inputs, rows)[0], **(read | {"tokens": tokens}), mask=mask)


def _read(kind: str, tensor: Tensor) -> Any:
    if kind == TEXTS:
        return json.loads(tensor.numpy().tobytes())
    return tensor.numpy() if kind == ARRAY else tensor


def take(inputs: Any, rows: Sequence[int]) -> Any:
    """Some rows of an array, a tensor, a table, a list, or of each of several by name.

    >>> take(["a", "b", "c"], [2, 0]), take({"x": np.arange(3)}, [1])
    (['c', 'a'], {'x': array([1])})
    """
    if isinstance(inputs, Mapping):
        return {name: take(part, rows) for name, part in inputs.items()}
    if isinstance(inputs, list | tuple):
        return [inputs[row] for row in rows]
    return getattr(inputs, "iloc", inputs)[np.asarray(rows, dtype=np.int64)]


def mask_of(lengths: Sequence[int]) -> Bool[Tensor, "N P"]:
    """Rows of these lengths.

    >>> mask_of([1, 2]).int().tolist()
    [[1, 0], [1, 1]]
    """
    return torch.arange(max(lengths, default=0)) < torch.tensor(lengths)[:, None]


def _portable(inputs: Any) -> dict[str, Tensor]:
    """Inputs as a file has them; nothing where none can."""
    if isinstance(inputs, Tensor):
        return {TENSOR: inputs}
    if isinstance(inputs, np.ndarray) and inputs.dtype.kind in "biuf" and inputs.dtype.isnative:
        try:
            return {ARRAY: torch.from_numpy(np.array(inputs, order="C"))}
        except TypeError:  # a kind of number that torch lacks
            return {}
    if isinstance(inputs, list) and all(type(text) is str for text in inputs):
        return {TEXTS: _json(inputs)}
    return {}


def _json(value: Any) -> Tensor:
    return torch.frombuffer(bytearray(json.dumps(value).encode()), dtype=torch.uint8)


def _plain(values: Any) -> tuple[Any, ...]:
    try:
        found = np.asarray(values)
    except (ValueError, TypeError):
        found = np.zeros((0, 0))
    if found.ndim != 1:
        raise BadData(f"expected labels to be one for each row, but got shape {found.shape}")
    return tuple(int(v) if isinstance(v, float) and v.is_integer() else v for v in found.tolist())


def _texts(values: Any) -> tuple[str, ...]:
    if isinstance(values, str):
        raise BadData(f"expected names and classes to be lists, but got the text '{short(values)}'")
    return tuple(str(one) for one in values)


def _rows(values: Any) -> tuple[tuple[str, ...], ...]:
    if isinstance(values, str) or any(isinstance(row, str) for row in values):
        raise BadData("expected tokens to be a list of words for each row, but got texts: split them")
    return tuple(_texts(row) for row in values)


def _mask(values: Any) -> Bool[Tensor, "N P"]:
    found = torch.as_tensor(np.asarray(values)).bool()
    if found.ndim != 2:
        raise BadData(f"expected mask of shape (rows, positions), but got {tuple(found.shape)}")
    return found


def _order(label: Any) -> tuple[str, Any]:
    return ("", label) if isinstance(label, int | float) else (type(label).__name__, label)
