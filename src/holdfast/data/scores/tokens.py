"""What positions are called: the words of every example, or one list of names for all."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.data.scores.tables import Shap

WANTED = "expected tokens to be a list of words for each example, or one list of names for all"


class Tokens(NamedTuple):
    """``names`` are of every example's positions, else ``rows`` are of each example's own."""

    names: tuple[str, ...] | None
    rows: tuple[tuple[str, ...], ...] = ()

    @property
    def lengths(self) -> Int[Tensor, "B"] | None:
        """How many positions the examples have; None where one list is for all."""
        return None if self.names is not None else torch.tensor([len(row) for row in self.rows])

    def of(self, mask: Bool[Tensor, "B T"]) -> tuple[tuple[str, ...], ...]:
        """The names of the positions that exist: as many were given, or one for each place of the table.

        >>> Tokens(("age", "income")).of(torch.tensor([[True, True], [False, True]]))
        (('age', 'income'), ('income',))
        """
        rows = self.rows if self.names is None else (self.names,) * len(mask)
        if len(rows) != len(mask):
            raise BadSetting(f"expected tokens of {len(mask)} examples, but got {len(rows)}")
        return tuple(
            _kept(row, valid, f"example {place}")
            for place, (row, valid) in enumerate(zip(rows, mask.tolist(), strict=True))
        )


def tokens_of(given: Any) -> Tokens:
    """Tokens as they were given: lists, or an array of text whose rows end in empty entries.

    >>> tokens_of(np.array([["a", "b"], ["c", ""]])).rows
    (('a', 'b'), ('c',))
    """
    if isinstance(given, np.ndarray) and given.ndim == 2:
        return Tokens(None, tuple(_text(row.tolist(), trim=True) for row in given))
    parts = given.tolist() if isinstance(given, np.ndarray) else given
    if isinstance(parts, str) or not isinstance(parts, Sequence):
        raise BadSetting(f"{WANTED}, but got {type(given).__name__}")
    if all(isinstance(one, str | bytes) for one in parts):
        return Tokens(_text(parts))
    if any(isinstance(one, str | bytes) or not isinstance(one, Sequence | np.ndarray) for one in parts):
        raise BadSetting(f"{WANTED}, but got something else")
    return Tokens(None, tuple(_text(list(one)) for one in parts))


def tokens_of_shap(scores: Any) -> Tokens | None:
    """The words or the names of the features that an explanation of shap carries; None where it has none."""
    parts = [scores] if isinstance(scores, Shap) else scores
    first = parts[0] if isinstance(parts, list | tuple) and parts else None
    if not isinstance(first, Shap):
        return None
    for carried in (first.data, first.feature_names):
        own = list(carried) if isinstance(carried, list | tuple | np.ndarray) else []
        words = own[0] if own and isinstance(own[0], list | tuple | np.ndarray) else own
        if len(words) and all(isinstance(one, str) for one in words):
            return tokens_of(own)
    return None


def _text(row: Sequence[Any], trim: bool = False) -> tuple[str, ...]:
    words = [one.decode("utf-8", "replace") if isinstance(one, bytes) else str(one) for one in row]
    while trim and words and not words[-1]:
        words.pop()
    return tuple(words)


def _kept(row: tuple[str, ...], valid: list[bool], what: str) -> tuple[str, ...]:
    exist = sum(valid)
    if len(row) == exist:
        return row
    if len(row) != len(valid):
        raise BadSetting(
            f"expected as many tokens as positions, but {what} has {len(row)} tokens and {exist} positions"
        )
    return tuple(word for word, is_there in zip(row, valid, strict=True) if is_there)
