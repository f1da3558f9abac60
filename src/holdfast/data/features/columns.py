"""What a model must know of the columns of a table: how many categories each has, and the background."""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns that a model reads.

    ``sizes`` has 1 for a numeric column, else how many categories there are. ``shares`` are the shares of the
    categories among the training rows (0 elsewhere), so that every number that a model is given has mean 0.
    ``background`` are training rows: a value that is taken away is filled from these, and the model's answers
    are averaged.
    """

    sizes: tuple[int, ...]
    shares: Float[Tensor, "T D"]
    background: Float[Tensor, "R T"]

    def __len__(self) -> int:
        return len(self.sizes)
