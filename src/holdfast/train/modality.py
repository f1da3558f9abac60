"""What is watched while members train, what trained members are asked, and how their answers are counted."""

from typing import ClassVar

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.modality import modalities
from holdfast.data.base import Dataset, Kind
from holdfast.models.base import Model
from holdfast.train.objective import accuracy, watched
from holdfast.train.repair import Tensors


class Modality:
    """Classifiers; a modality whose models are some has no file in this layer.

    ``metric`` is the name of what :meth:`right` counts, ``called`` what a page says where that says more.
    """

    metric: ClassVar[str] = "accuracy"
    called: ClassVar[str | None] = None

    def watched(self, logits: Float[Tensor, "*M N C"], targets: Int[Tensor, "N"]) -> Float[Tensor, "*M"]:
        """What early stopping watches on the validation split."""
        return watched(logits, targets)

    def right(self, probabilities: Float[Tensor, "M N C"], targets: Int[Tensor, "N"]) -> Float[Tensor, "M"]:
        """Every member's share of right answers."""
        return accuracy(probabilities, targets)

    def chance(self, probabilities: Float[Tensor, "M N C"], targets: Int[Tensor, "N"]) -> tuple[float, str]:
        """What somebody who has learned nothing gets right, and how."""
        share = float(targets.bincount().max() / len(targets))
        return share, "always predicting the most common class"

    def answers(self, model: Model, parameters: Tensors, dataset: Dataset, stacked: bool) -> Tensors:
        """What members answer on the splits that they did not train on, beside their logits."""
        return {}


def modality(kind: Kind) -> Modality:
    """The modality of this name.

    >>> modality("image").metric, modality("interaction").metric
    ('accuracy', 'recall')
    """
    return modalities(Modality).get(kind) or Modality()
