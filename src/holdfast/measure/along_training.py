"""Do two explainers agree from the first epoch on, or only in the end?"""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.core.compare.base import Comparison
from holdfast.core.errors import BadSetting
from holdfast.core.records import Explanation
from holdfast.measure.pairing import over_methods
from holdfast.measure.reduce import over_instances


def along_training(
    epochs: Sequence[tuple[Explanation, Explanation]], comparison: Comparison
) -> Float[Tensor, "E M"]:
    """The mean agreement of two explainers after each epoch, for every member (Baumhauer §4.1.4).

    The two explanations of a pair are of the same examples; all pairs are of the same members.

    >>> from holdfast.core.compare.spearman import Spearman
    >>> from holdfast.core.records import Member
    >>> mask, target = torch.ones(1, 3, dtype=torch.bool), torch.tensor([0])
    >>> scores = Explanation(torch.tensor([[[1.0, 2.0, 3.0]]]), mask, target, (Member(0),), "a", False)
    >>> along_training([(scores, scores)], Spearman()).round(decimals=4)
    tensor([[1.]], dtype=torch.float64)
    """
    if not epochs:
        raise BadSetting("expected explanations after at least one epoch, but got none")
    return torch.stack([over_instances(over_methods(*pair, comparison)) for pair in epochs])
