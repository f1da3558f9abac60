"""What early stopping watches, how right answers are counted, and what is stored of trained members."""

from typing import ClassVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from holdfast.core.modality import modalities
from holdfast.data.base import Dataset, Kind
from holdfast.models.base import Model
from holdfast.train.objective import watched
from holdfast.train.repair import Tensors


class Modality:
    """Classifiers; a modality whose models are some has no file in this layer.

    ``metric`` is the name of what :meth:`right` counts, ``called`` what a page says where that says more;
    ``balanced`` says that targets are classes, over which it can be balanced; of cloze questions they are
    entities, and it cannot.
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

    def chance(self, probabilities: Float[Tensor, "M N C"], dataset: Dataset) -> tuple[float, str]:
        """The chance level on the test split, and the strategy that reaches it."""
        test = dataset.splits["test"]
        excluded = test.excluded(torch.arange(len(test)))
        if excluded is not None:
            return chance_of_options(~excluded, dataset)
        share = float(test.targets.bincount().max() / len(test))
        return share, "always predicting the most common class"

    def answers(self, model: Model, parameters: Tensors, dataset: Dataset, stacked: bool) -> Tensors:
        """What to store of the splits that members did not train on, beside their logits."""
        return {}


def chance_of_options(options: Bool[Tensor, "N C"], dataset: Dataset) -> tuple[float, str]:
    """What is had without reading the passage: by picking one of its entities at random, or the one that is
    most often the answer in training, whichever is right more often.

    >>> from holdfast.data.source import Source, load
    >>> data = load(Source("planted-cloze:train=40,validation=10,test=10"))
    >>> chance_of_options(data.splits["test"].options, data)[1]
    'picking one of the passage’s entities at random'
    """
    counts = dataset.splits["train"].targets.bincount(minlength=options.shape[1])
    often = torch.where(options, counts, -1).argmax(1) == dataset.splits["test"].targets
    ways = {
        "picking one of the passage’s entities at random": float((1.0 / options.sum(1)).mean()),
        "picking the passage’s entity that is most often the answer": float(often.double().mean()),
    }
    return max((share, way) for way, share in ways.items())


def modality(kind: Kind) -> Modality:
    """The modality of this name.

    >>> modality("image").metric, modality("interaction").metric
    ('accuracy', 'recall')
    """
    return modalities(Modality).get(kind) or Modality()
