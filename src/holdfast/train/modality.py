"""What early stopping watches, how right answers are counted, and what is stored of trained members."""

from typing import ClassVar

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.modality import modalities
from holdfast.data.base import Dataset, Kind
from holdfast.models.base import Model
from holdfast.train.objective import watched
from holdfast.train.repair import Tensors


class Modality:
    """Classifiers; a modality whose models are some has no file in this layer.

    ``metric`` is the name of what :meth:`right` counts, ``called`` what a page says where that says more;
    ``balanced`` says that targets are classes, over which it can be balanced.
    """

    metric: ClassVar[str] = "accuracy"
    called: ClassVar[str | None] = None
    balanced: ClassVar[bool] = True

    def watched(self, logits: Float[Tensor, "*M N C"], targets: Int[Tensor, "N"]) -> Float[Tensor, "*M"]:
        """What early stopping watches on the validation split."""
        return watched(logits, targets)

    def right(self, probabilities: Float[Tensor, "M N C"], targets: Int[Tensor, "N"]) -> Float[Tensor, "M N"]:
        """1 where a member's answer is right."""
        return (probabilities.argmax(-1) == targets).double()

    def chance(self, probabilities: Float[Tensor, "M N C"], targets: Int[Tensor, "N"]) -> tuple[float, str]:
        """The chance level, and the strategy that reaches it."""
        share = float(targets.bincount().max() / len(targets))
        return share, "always predicting the most common class"

    def answers(self, model: Model, parameters: Tensors, dataset: Dataset, stacked: bool) -> Tensors:
        """What to store of the splits that members did not train on, beside their logits."""
        return {}


def modality(kind: Kind) -> Modality:
    """The modality of this name.

    >>> modality("image").metric, modality("interaction").metric
    ('accuracy', 'recall')
    """
    return modalities(Modality).get(kind) or Modality()
