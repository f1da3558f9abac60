"""Deletion: remove what scores point at, most relevant first, and see how fast predictions fall."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from holdfast.measure.probes.removal import Removal


@dataclass(frozen=True)
class Deletion(Removal):
    """Parts are deleted one after the other, the highest score first (Samek et al. 2017).

    Parts are square patches of an image in strips, painted with ``background``; with ``fill="hole"`` they are
    whole steps or words, which then do not exist for any layer (the last one always stays). ``patch`` is the
    side of a patch in pixels, by default a quarter of the height; ``of`` is what is watched. As a setting:
    ``deletion:patch=2,of=evidence``, or for text ``deletion:fill=hole``.

    >>> from holdfast.core.records import Batch
    >>> Deletion(patch=2).parts(Batch(torch.zeros(1, 2, 4, 2), torch.ones(1, 2) > 0), torch.ones(1, 16))
    tensor([[4., 4., 4., 4.]])
    """

    steps: int = 12

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.steps < 1:
            self._refuse("steps", "at least 1")

    def stay(self, parts: Float[Tensor, "*I K"]) -> Bool[Tensor, "*I S K"]:
        """What is left after 0, 1, …, ``steps`` deletions."""
        each = torch.zeros_like(parts[..., :1], dtype=torch.long)
        return self.without_first(parts, [each + step for step in range(1, self.steps + 1)])


def aopc(curve: Float[Tensor, "*I S"]) -> Float[Tensor, "*I"]:
    """Area over the perturbation curve: ``1/(L + 1) Σ_{k=0…L} (f(x₀) − f(x_k))`` (Samek et al. 2017).

    >>> aopc(torch.tensor([1.0, 0.5, 0.0]))
    tensor(0.5000)
    """
    return (curve[..., :1] - curve).mean(-1)
