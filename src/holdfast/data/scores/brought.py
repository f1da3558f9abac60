"""Scores that somebody brings, made with whatever library, and what is known beside them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy.typing import NDArray
from torch import Tensor

from holdfast.core.records import Explanation, Member

Predict = Callable[[NDArray[np.bool_]], Any]
"""Called with what is left in, (members, examples, positions): True stays. It returns the probabilities of
every member for every example, (members, examples, classes), or of two classes those of the second."""


@dataclass(frozen=True)
class Brought:
    """Explanations of the same examples by every explainer and member, in ``name``.

    ``tokens`` name the positions of each example that exist. ``probabilities`` are the members', ``labels``
    the true classes, ``untrained`` scores of networks that never trained, by explainer; ``predict`` asks the
    members again with positions left out. ``told`` says that the explained class was given, and is not taken
    to be the one that the members favour together; ``classes`` are names. ``notes`` are what a reader must
    know.
    """

    name: str
    explanations: Mapping[str, Explanation]
    tokens: tuple[tuple[str, ...], ...] | None = None
    probabilities: Float[Tensor, "M K C"] | None = None
    labels: Int[Tensor, "K"] | None = None
    classes: tuple[str, ...] = ()
    untrained: Mapping[str, Float[Tensor, "G K T"]] = field(default_factory=dict)
    predict: Predict | None = None
    told: bool = False
    notes: tuple[str, ...] = ()

    @property
    def first(self) -> Explanation:
        """The first explanation: all have the same members, examples and positions."""
        return next(iter(self.explanations.values()))

    @property
    def members(self) -> tuple[Member, ...]:
        """Whose scores these are."""
        return self.first.members

    @property
    def mask(self) -> Bool[Tensor, "K T"]:
        """Which positions exist."""
        return self.first.mask
