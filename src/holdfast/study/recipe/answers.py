"""What a recipe's functions return, in whatever form libraries have it, as tables that are checked."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy.typing import NDArray
from torch import Tensor

from holdfast.core.errors import BadSetting, Failed
from holdfast.core.plain import short
from holdfast.study.recipe.data import mask_of

SCORES = "scores"
"""What an explanation without a name is called."""
TOLERANCE = 1e-3
"""How far the probabilities of a row may be from a sum of 1: those of libraries are rounded."""
Masked = tuple[Tensor, Tensor]  # scores, 0 where no position is, and which positions are


def probabilities_of(raw: Any, rows: int) -> Float[Tensor, "N C"]:
    """A probability for each row and class; of two classes that of the second alone is enough.

    >>> probabilities_of([0.25, 1.0], 2)
    tensor([[0.7500, 0.2500],
            [0.0000, 1.0000]], dtype=torch.float64)
    """
    table = _numbers("predict", raw)
    if table.ndim == 2 and table.shape[1] == 1:
        table = table[:, 0]
    if table.ndim not in (1, 2) or len(table) != rows or 0 in table.shape:
        raise BadSetting(
            f"predict: expected a probability for each of {rows} rows and each class, but got shape "
            f"{tuple(table.shape)}"
        )
    if not np.isfinite(table).all():
        raise Failed("predict returned probabilities that are not all finite numbers")
    if table.min() < -TOLERANCE or table.max() > 1 + TOLERANCE:
        far = table.min() if table.min() < -TOLERANCE else table.max()
        raise BadSetting(f"predict: expected probabilities between 0 and 1, but got {far:.4g}: {_SOFTMAX}")
    if table.ndim == 1:
        table = np.stack([1 - table, table], 1)
    total = table.sum(1)
    if (worst := int(np.abs(total - 1).argmax())) >= 0 and abs(total[worst] - 1) > TOLERANCE:
        raise BadSetting(
            f"predict: expected probabilities that sum to 1, but those of row {worst} sum to "
            f"{total[worst]:.4g}: {_SOFTMAX}"
        )
    return torch.from_numpy(table.clip(0, 1))


_SOFTMAX = "return what predict_proba or a softmax gives"


def scores_of(
    raw: Any, target: Int[Tensor, "K"], classes: int, mask: Bool[Tensor, "K P"] | None
) -> dict[str, Masked]:
    """A score for each row and position of each explanation, by name; ``mask`` is which positions exist,
    where that is known. Tables may have an axis more, of the classes: that of ``target`` counts."""
    named = raw if isinstance(raw, Mapping) else {SCORES: raw}
    if not named:
        raise BadSetting("explain: expected scores for each row and position, but got an empty mapping")
    return {str(name): _table(_place(str(name)), one, target, classes, mask) for name, one in named.items()}


def _table(
    what: str, raw: Any, target: Int[Tensor, "K"], classes: int, mask: Bool[Tensor, "K P"] | None
) -> Masked:
    rows = [_row(what, row) for row in _rows_of(what, raw, target, classes)]
    if len(rows) != len(target):
        raise BadSetting(f"{what}: expected scores for {len(target)} rows, but got them for {len(rows)}")
    lengths = [len(row) for row in rows]
    mask = mask_of(lengths) if mask is None else mask
    table = torch.zeros(mask.shape, dtype=torch.float64)
    # a table that is padded has scores where no position is, which do not count
    padded = len(set(lengths)) == 1 and lengths[0] >= mask.shape[1] and not bool(mask.all())
    for row, (own, there) in enumerate(zip(rows, mask, strict=True)):
        if not padded and len(own) != int(there.sum()):
            wanted = f"{int(there.sum())} scores for row {row}, one for each position"
            raise BadSetting(f"{what}: expected {wanted}, but got {len(own)}")
        if padded:
            table[row] = torch.from_numpy(own[: len(there)])
        else:
            table[row, there] = torch.from_numpy(own)
    table = torch.where(mask, table, 0.0)
    if not bool(table.isfinite().all()):
        raise Failed(f"{what} returned scores that are not all finite numbers")
    return table, mask


def _rows_of(what: str, raw: Any, target: Int[Tensor, "K"], classes: int) -> Sequence[Any]:
    """One entry for each row. ``shap`` has them in ``values``, older versions in a list by class."""
    values = raw if isinstance(raw, list | tuple) else getattr(raw, "values", raw)
    if not isinstance(values, list | tuple):
        table = values if isinstance(values, Tensor) else np.asarray(values)
        if table.ndim == 3 and table.shape[2] == classes:
            return [row[:, int(own)] for row, own in zip(table, target, strict=False)]
        if table.ndim not in (1, 2) or (table.ndim == 1 and table.dtype != object):
            raise BadSetting(
                f"{what}: expected scores of shape (rows, positions), or (rows, positions, {classes} classes), "
                f"but got {tuple(table.shape)}"
            )
        return list(table)
    shapes = {np.shape(_values(one)) for one in values} if len(values) == classes else set()
    if len(shapes) == 1 and len(shape := shapes.pop()) == 2 and shape[0] == len(target):
        return [values[int(own)][row] for row, own in enumerate(target)]
    return values


def _row(what: str, raw: Any) -> NDArray[np.float64]:
    row = _numbers(what, getattr(raw, "values", raw))
    if row.ndim != 1:
        raise BadSetting(f"{what}: expected one score for each position of a row, but got shape {row.shape}")
    return row


def _numbers(what: str, raw: Any) -> NDArray[np.float64]:
    """A copy as numbers: what somebody keeps is never written to."""
    try:
        plain = raw.detach().cpu().numpy() if isinstance(raw, Tensor) else raw
        return np.array(plain, dtype=np.float64)
    except (ValueError, TypeError) as error:
        came = f"{type(raw).__name__} ({short(error)})"
        raise BadSetting(f"{what}: expected an array of numbers, but got {came}") from error


def _place(name: str) -> str:
    return "explain" if name == SCORES else f"explain, {short(name)}"
