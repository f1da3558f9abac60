"""What a recipe's functions return, in whatever form libraries have it, as tables that are checked."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting, Failed
from holdfast.core.plain import short
from holdfast.data.scores.answers import NEAR
from holdfast.data.scores.given import ONLY
from holdfast.data.scores.tables import Shap, member_of, numbers
from holdfast.study.recipe.data import mask_of

Masked = tuple[Tensor, Tensor]  # scores, 0 where no position is, and which positions are
SOFTMAX = "return what predict_proba or a softmax gives"


def probabilities_of(raw: Any, rows: int) -> Float[Tensor, "N C"]:
    """A probability for each row and class; of two classes that of the second alone is enough.

    >>> probabilities_of([0.25, 1.0], 2)
    tensor([[0.7500, 0.2500],
            [0.0000, 1.0000]], dtype=torch.float64)
    """
    array = numbers(raw, "what predict returns")
    if array is None or array.ndim not in (1, 2) or len(array) != rows or 0 in array.shape:
        came = type(raw).__name__ if array is None else f"shape {array.shape}"
        raise BadSetting(
            f"predict: expected a probability for each of {rows} rows and each class, but got {came}"
        )
    table = torch.from_numpy(np.array(array, dtype=np.float64))
    if not bool(table.isfinite().all()):
        raise Failed("predict returned probabilities that are not all finite numbers")
    far = (table < -NEAR) | (table > 1 + NEAR)
    if bool(far.any()):
        came = f"{float(table[far][0]):.4g}"
        raise BadSetting(f"predict: expected probabilities between 0 and 1, but got {came}: {SOFTMAX}")
    table = table.clamp(0.0, 1.0)
    if table.ndim == 1 or table.shape[1] == 1:
        second = table.flatten()
        return torch.stack((1 - second, second), -1)
    total = table.sum(1)
    worst = int((total - 1).abs().argmax())
    if abs(float(total[worst]) - 1) > NEAR:
        raise BadSetting(
            f"predict: expected probabilities that sum to 1, but those of row {worst} sum to "
            f"{float(total[worst]):.4g}: {SOFTMAX}"
        )
    return table


def scores_of(
    raw: Any, target: Int[Tensor, "K"], classes: int, mask: Bool[Tensor, "K P"] | None
) -> dict[str, Masked]:
    """A score for each row and position of each explanation, by name; ``mask`` is which positions exist,
    where that is known. Tables may have an axis more, of the classes: that of ``target`` counts.

    >>> scores_of([[1.0, 2.0], [3.0]], torch.tensor([0, 1]), 2, None)["scores"][0].tolist()
    [[1.0, 2.0], [3.0, 0.0]]
    """
    named = raw if isinstance(raw, Mapping) else {ONLY: raw}
    if not named:
        raise BadSetting("explain: expected scores for each row and position, but got an empty mapping")
    return {str(name): _table(_place(str(name)), one, target, classes, mask) for name, one in named.items()}


def _table(
    what: str, raw: Any, target: Int[Tensor, "K"], classes: int, mask: Bool[Tensor, "K P"] | None
) -> Masked:
    rows = list(member_of(_of_class(raw, target, classes), what, target.numpy()))
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
        some = torch.from_numpy(np.array(own, dtype=np.float64))
        table[row, there] = some[: len(there)][there] if padded else some
    if not bool(table.isfinite().all()):
        raise Failed(f"{what} returned scores that are not all finite numbers")
    return table, mask


def _of_class(raw: Any, target: Int[Tensor, "K"], classes: int) -> Any:
    """Of scores for each class, in a last axis or in a list, as versions of shap have them, those for the
    class that is explained."""
    values = raw.values if isinstance(raw, Shap) else raw
    if isinstance(values, list | tuple):
        each = [numbers(one, "scores") for one in values] if len(values) == classes else []
        if not each or any(one is None or one.ndim != 2 for one in each):
            return values
        values = np.stack([one for one in each if one is not None], -1)
    if np.ndim(values) != 3 or values.shape[2] != classes or len(values) != len(target):
        return values
    return values[np.arange(len(target)), :, target.numpy()]


def _place(name: str) -> str:
    return "explain" if name == ONLY else f"explain, {short(name)}"
