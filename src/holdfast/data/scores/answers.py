"""What models answered and what is true: probabilities, and a class for each example."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.data.reading import listed, shown
from holdfast.data.scores.tables import numbers

NEAR = 5e-3
"""How far probabilities may be from adding up to 1; in half precision they are this far at most."""


def probabilities_of(values: Any, name: str = "probabilities") -> Float[Tensor, "M K C"]:
    """Probabilities of every class; of two classes those of the second are enough.

    >>> probabilities_of([[0.25], [0.5]]).tolist()
    [[[0.75, 0.25]], [[0.5, 0.5]]]
    """
    if isinstance(values, list | tuple):  # each member's may be a tensor
        values = [numbers(one, name) if isinstance(one, Tensor) else one for one in values]
    array = numbers(values, name)
    if array is None or array.ndim not in (2, 3) or 0 in array.shape or array.shape[2:] == (1,):
        raise BadSetting(
            f"expected {name} of shape (members, examples, classes), or (members, examples) for the second "
            f"of two classes, but got {'something else' if array is None else array.shape}"
        )
    odds = torch.from_numpy(np.array(array, dtype=np.float64))
    if not bool(((odds >= 0) & (odds <= 1 + NEAR)).all()):
        raise BadSetting(f"expected {name} between 0 and 1, but some are not: give probabilities, not logits")
    if odds.ndim == 2:
        return torch.stack((1 - odds, odds), -1).clamp(min=0.0)
    total = odds.sum(-1)
    far = (total - 1).abs() > NEAR
    if bool(far.any()):
        member, row = far.nonzero()[0].tolist()
        raise BadSetting(
            f"expected {name} to add up to 1 over the classes, but those of member {member} for example "
            f"{row} add up to {float(total[member, row]):.3g}"
        )
    return odds


def names_of(classes: Sequence[str] | None, count: int | None) -> tuple[str, ...]:
    """The names of so many classes: those that were given, else their numbers; none where nobody knows.

    >>> names_of(None, 2), names_of(["bad", "good"], 2), names_of(None, None)
    (('0', '1'), ('bad', 'good'), ())
    """
    if classes is None:
        return tuple(map(str, range(count or 0)))
    names = tuple(map(str, classes))
    if len(set(names)) != len(names):
        raise BadSetting(f"expected every class to have a name of its own, but got {listed(names)}")
    if count is not None and len(names) != count:
        raise BadSetting(f"expected the names of {count} classes, but got {len(names)}")
    return names


def classes_of(values: Any, name: str, classes: tuple[str, ...], count: int) -> Int[Tensor, "K"]:
    """A class for each of so many examples, or one for all: a number, or a name where classes have names.

    >>> classes_of(["good", "bad"], "labels", ("bad", "good"), 2)
    tensor([1, 0])
    """
    array = values.detach().cpu().numpy() if isinstance(values, Tensor) else np.asarray(values)
    flat = array.ravel().tolist()
    if any(isinstance(one, str) for one in flat):
        places = {own: place for place, own in enumerate(classes)}
        for one in flat:
            if one not in places:
                known = f"known are {listed(classes)}" if classes else "give their names, classes=[…]"
                raise BadSetting(f"expected {name} to be classes, but one is {shown(one)}: {known}")
        array = np.array([places[one] for one in flat]).reshape(array.shape)
    if array.dtype.kind not in "fiub" or array.ndim > 1 or not np.array_equal(array, np.round(array)):
        raise BadSetting(f"expected {name} to be a whole number for each example, but got something else")
    if not array.size:
        raise BadSetting(f"expected {name} to be a class for each example, but got none")
    if array.ndim == 1 and len(array) != count:
        raise BadSetting(f"expected {name} of {count} examples, but got {len(array)}")
    low, high = int(array.min()), int(array.max())
    if low < 0 or (classes and high >= len(classes)):
        most = f" to {len(classes) - 1}" if classes else ""
        raise BadSetting(f"expected {name} from 0{most}, but one is {low if low < 0 else high}")
    return torch.from_numpy(np.broadcast_to(array, (count,)).astype(np.int64))
