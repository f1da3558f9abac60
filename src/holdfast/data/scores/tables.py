"""Whatever holds scores as one table: arrays, tensors, ragged lists, explanations of shap."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import torch
from jaxtyping import Bool, Float
from numpy.typing import NDArray
from torch import Tensor

from holdfast.core.errors import BadSetting

SHAPE = "(members, examples, positions)"
Numbers = NDArray[Any]
Picks = NDArray[np.int64] | None  # of each example, the class whose scores are meant


@runtime_checkable
class Shap(Protocol):
    """What an explanation of shap has; it is known by this, so that shap need not be there."""

    values: Any
    base_values: Any
    data: Any
    feature_names: Any


class Table(NamedTuple):
    """Scores, and which positions exist: None where nobody said that some do not."""

    values: Float[Tensor, "M B T"]
    mask: Bool[Tensor, "B T"] | None


def table_of(scores: Any, name: str = "scores", picks: Picks = None) -> Table:
    """Scores of every member, padded where examples differ in length.

    ``picks`` chooses the class of an explanation that has scores for each.

    >>> table_of([[[1.0, 2.0], [3.0]], [[4.0, 5.0], [6.0]]]).mask
    tensor([[ True,  True],
            [ True, False]])
    """
    whole = None if isinstance(scores, Shap) else numbers(scores, name)
    if whole is None:
        parts = [scores] if isinstance(scores, Shap) else _parts(scores, name, f"an array of shape {SHAPE}")
        members = [member_of(one, f"{name} of member {place}", picks) for place, one in enumerate(parts)]
        if any(isinstance(one, list) for one in members) or len({np.shape(one) for one in members}) > 1:
            return _padded([list(one) for one in members], name)
        whole = np.stack(members) if members else np.zeros((0, 0, 0))
    if whole.ndim != 3 or 0 in whole.shape:
        raise BadSetting(
            f"expected {name} of shape {SHAPE}, none of them 0, but got {whole.shape}{_hint(whole)}"
        )
    return Table(torch.from_numpy(_floats(whole)), None)


def numbers(values: Any, name: str) -> Numbers | None:
    """An array of numbers, where the values are one; None where they are a list of something else."""
    if isinstance(values, Tensor):
        kept = values.detach().cpu()
        return (kept.float() if kept.dtype == torch.bfloat16 else kept).numpy()
    if isinstance(values, list | tuple) and any(isinstance(one, Tensor | Shap) for one in values):
        return None
    try:
        array = np.asarray(values)
    except ValueError:  # of different lengths
        return None
    if array.dtype == object:
        return None
    if array.dtype.kind not in "fiub":
        raise BadSetting(f"expected {name} to be an array of numbers, but got something else ({array.dtype})")
    return array


def _parts(values: Any, name: str, wanted: str) -> list[Any]:
    if isinstance(values, list | tuple) or (isinstance(values, np.ndarray) and values.ndim):
        return list(values)
    raise BadSetting(f"expected {name} to be {wanted}, but got {type(values).__name__}")


def member_of(one: Any, name: str, picks: Picks) -> Numbers | list[Numbers]:
    """One member's scores: a table, or examples of different lengths."""
    chosen = one.values if isinstance(one, Shap) else one
    picked = picks if isinstance(one, Shap) else None
    whole = numbers(chosen, name)
    if whole is None:
        return [
            _example(row, f"{name} for example {place}", _pick(picked, place))
            for place, row in enumerate(_parts(chosen, name, "a table of numbers"))
        ]
    if whole.ndim == 3 and isinstance(one, Shap):
        return _of_class(whole, name, picked)
    if whole.ndim != 2:
        raise BadSetting(
            f"expected {name} of shape (examples, positions), but got {whole.shape}"
            f"{_hint(whole[None]) if whole.ndim > 2 else ''}"
        )
    return whole


def _example(row: Any, name: str, pick: Picks) -> Numbers:
    own = numbers(row, name)
    if own is not None and own.ndim == 2:
        own = _of_class(own[None], name, pick)[0]
    if own is None or own.ndim != 1:
        raise BadSetting(f"expected {name} to be a list of numbers, but got something else")
    return own


def _of_class(scores: Numbers, name: str, picks: Picks) -> Numbers:
    """Of scores for each class, those for the class that is explained."""
    if picks is None:
        raise BadSetting(
            f"the {name} have a last axis for {scores.shape[-1]} classes: give target, the class of each "
            "example whose scores are to be judged, or probabilities, and it is the class they favour"
        )
    if len(picks) not in (1, len(scores)) or int(picks.max(initial=0)) >= scores.shape[-1]:
        raise BadSetting(
            f"expected target to be one of {scores.shape[-1]} classes for each of {len(scores)} examples in "
            f"{name}, but got {len(picks)} up to {int(picks.max(initial=0))}"
        )
    return scores[np.arange(len(scores)), ..., picks]


def _pick(picks: Picks, place: int) -> Picks:
    """The class of one example: one for all may have been given."""
    return picks if picks is None or len(picks) == 1 else picks[place : place + 1]


def _padded(members: Sequence[list[Numbers]], name: str) -> Table:
    """Members whose examples have different lengths, which must be the same for every member."""
    counts = [len(one) for one in members]
    for place, count in enumerate(counts):
        if count != counts[0]:
            raise BadSetting(
                f"expected {name} of the same examples by every member, but member 0 has {counts[0]} "
                f"examples and member {place} has {count}"
            )
    lengths = np.array([[len(row) for row in one] for one in members])
    if lengths.size == 0 or not lengths.any():
        raise BadSetting(f"expected {name} of shape {SHAPE}, none of them 0, but there are none")
    other = np.argwhere(lengths != lengths[0])
    if len(other):
        member, row = other[0].tolist()
        raise BadSetting(
            f"example {row} has {lengths[0, row]} {name} by member 0 and {lengths[member, row]} by member "
            f"{member}: every member must explain the same positions, so pad them alike and give a mask"
        )
    mask = np.arange(lengths.max()) < lengths[0][:, None]
    flat = np.stack([np.concatenate(one) for one in members])
    values = np.zeros((len(members), *mask.shape), dtype=flat.dtype)
    values[:, mask] = flat
    return Table(torch.from_numpy(_floats(values)), torch.from_numpy(mask))


def _floats(values: Numbers) -> Numbers:
    """A copy that nobody else writes to: small floats stay small, everything else is in double precision."""
    return np.array(values, dtype=np.float32 if values.dtype in (np.float16, np.float32) else np.float64)


def _hint(values: Numbers) -> str:
    """What is the likely reason for a wrong number of axes."""
    return {
        2: ": of a single member, give [scores]",
        4: ": if the last axis is that of an embedding, sum over it first, scores.sum(-1)",
    }.get(values.ndim, "")
