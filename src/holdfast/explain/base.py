"""The contract of an explainer: a score per position, for one member and a target fixed beforehand."""

import math
from abc import ABC, abstractmethod
from typing import ClassVar, Self

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.explain.slope import evidence
from holdfast.models.base import Model
from holdfast.models.run import Run
from holdfast.train.seats import Size


class Explainer(ABC):
    """Scores every position of every example.

    Written for one member with ``torch.func`` only, so that a family can map it. ``signed`` says that a
    negative score means "speaks against"; ``draws`` is how many uniform numbers it needs per position
    (0: it is deterministic); ``conserves`` says that the scores add up to their :meth:`total`, except for
    what is lost on the way; ``within`` is the largest share of the total that may be lost: where more is
    lost, a family explains the example again with the :meth:`finer` version and reports what is still lost;
    ``batch`` says how many examples are explained at once on a CPU: a *large* batch, a *small* one where many
    rows are computed for each example, a *single* one where examples are taken one by one anyway;
    ``mapped`` False says that it cannot be mapped: a family then explains one member after the other.
    Masked positions score exactly 0; padding and neighbours in the batch change a score by rounding alone, at
    most 1e-6 of the largest. A word or an item has one score, an image one for each pixel.
    """

    signed: ClassVar[bool]
    draws: ClassVar[int] = 0
    conserves: ClassVar[bool] = False
    within: ClassVar[float] = math.inf
    mapped: ClassVar[bool] = True
    batch: ClassVar[Size] = "large"

    @abstractmethod
    def scores(
        self,
        run: Run,
        batch: Batch,
        target: Int[Tensor, "B"],
        noise: Float[Tensor, "B T D"] | None = None,
    ) -> Float[Tensor, "B T ..."]:
        """The scores; ``noise`` is given when ``draws`` is not 0."""

    def seats(self, model: Model) -> Size:
        """How many examples of this model are explained at once on a CPU."""
        return self.batch

    def suited(self, model: Model) -> Self:
        """The explainer as it runs on this model, with the settings that depend on the model filled in."""
        return self

    def total(self, run: Run, batch: Batch, target: Int[Tensor, "B"]) -> Float[Tensor, "B"]:
        """What the scores of each example should add up to, where the explainer ``conserves``: by default the
        evidence for the target class alone."""
        return evidence(run, run(batch).logits, target)

    def finer(self) -> Self | None:
        """A more exact version of this explainer; None where there is none."""
        return None

    def suits(self, run: Run, batch: Batch, target: Int[Tensor, "B"]) -> None:
        """Raise ``BadSetting`` if this explainer cannot explain this model.

        Called once, before members are mapped.

        One example is enough; it runs with ordinary autograd, not under ``vmap``.
        """
        return None


def exists(batch: Batch, like: Tensor) -> Tensor:
    """The mask, shaped to be multiplied with ``like``, whose first axes are the mask's.

    >>> import torch
    >>> exists(Batch(torch.ones(1, 2), torch.tensor([[True, False]])), torch.ones(1, 2, 4, 3)).shape
    torch.Size([1, 2, 1, 1])
    """
    return batch.mask.reshape(batch.mask.shape + (1,) * (like.dim() - batch.mask.dim()))


def has_vectors(batch: Batch, embedded: Tensor) -> bool:
    """Whether the last axis of the embedded input is an embedding vector; otherwise the input is pixels."""
    return embedded.dim() > batch.mask.dim() + len(batch.pixels)


def place(values: Float[Tensor, "B T ..."], batch: Batch) -> Float[Tensor, "B T ..."]:
    """Scores from values shaped like the embedded input: summed over embedding vectors, one for each pixel.

    >>> import torch
    >>> batch = Batch(torch.ones(1, 2, dtype=torch.long), torch.tensor([[True, False]]))
    >>> place(torch.ones(1, 2, 3), batch)
    tensor([[3., 0.]])
    """
    scores = values.sum(-1) if has_vectors(batch, values) else values
    return scores * exists(batch, scores)
