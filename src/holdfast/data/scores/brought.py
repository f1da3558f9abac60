"""Scores that somebody brings, made with whatever library, and what is known beside them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy.typing import NDArray
from torch import Tensor

from holdfast.core.records import Explanation, Member

Predict = Callable[[NDArray[np.bool_]], Any]
"""Called with what is left in, (members, examples, positions): True stays. It returns the probabilities of
every member for every example, (members, examples, classes), or of two classes those of the second."""


class Answers(NamedTuple):
    """What every member says of some examples, and which class is right."""

    probabilities: Float[Tensor, "M N C"] | None
    labels: Int[Tensor, "N"] | None


class Falls(NamedTuple):
    """How far every member's prediction falls with positions left out in the order of each explainer's
    scores, in random order, and in the order of what each position alone costs; of some of the examples."""

    by: Mapping[str, Float[Tensor, "M R"]]
    random: Float[Tensor, "M R"]
    alone: Float[Tensor, "M R"]


@dataclass(frozen=True)
class Brought:
    """Explanations of the same examples by every explainer and member, in ``name``.

    ``tokens`` name the positions of each example that exist. ``probabilities`` are the members', ``labels``
    the true classes, ``untrained`` scores of networks that never trained, by explainer; ``predict`` asks the
    members again with positions left out. ``told`` says that the explained class was given, and is not taken
    to be the one that the members favour together; ``classes`` are names. ``notes`` are what a reader must
    know.

    Whoever can ask the models has asked them already: ``every`` are their answers to more examples than were
    explained, ``falls`` what leaving positions out does. ``unasked`` says why a question is not asked, by its
    name.
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
    every: Answers | None = None
    falls: Falls | None = None
    unasked: Mapping[str, str] = field(default_factory=dict)

    @property
    def answers(self) -> Answers:
        """What the members say, of as many examples as is known."""
        return self.every or Answers(self.probabilities, self.labels)

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

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the positions, where all examples have the same, each once; else none.

        >>> from holdfast.data.scores.given import bring
        >>> bring([[[1.0, 2.0], [3.0, 4.0]]], tokens=["age", "income"]).columns
        ('age', 'income')
        """
        names = (self.tokens or ((),))[0]
        every = len(self.mask) > 1 and bool(self.mask.all()) and len(set(names)) == len(names)
        return names if every and set(self.tokens or ()) == {names} else ()
