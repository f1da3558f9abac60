"""The head with which each family of checkpoints classifies, and the labels that it knows."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn


class Shape(NamedTuple):
    """Where a family's checkpoints have the two layers of the head, and what stands between them."""

    dense: str
    out: str
    bend: Callable[[Tensor], Tensor]


SHAPES = {
    "bert": Shape("bert.pooler.dense", "classifier", torch.tanh),
    "distilbert": Shape("pre_classifier", "classifier", torch.relu),
    "electra": Shape("classifier.dense", "classifier.out_proj", F.gelu),
    "roberta": Shape("classifier.dense", "classifier.out_proj", torch.tanh),
}


class Head(nn.Module):
    """``V · g(W h + b) + c`` of the state h of the position before the text, as transformers has it for this
    ``kind`` of encoder; drawn as transformers draws it, ``W, V ~ N(0, scale²)`` and 0.

    >>> Head("bert", 4, 3, 0.02)(torch.zeros(1, 4)).tolist()
    [[0.0, 0.0, 0.0]]
    """

    def __init__(self, kind: str, width: int, classes: int, scale: float) -> None:
        super().__init__()
        self.kind, self.scale = kind, scale
        self.dense, self.out = nn.Linear(width, width), nn.Linear(width, classes)
        redraw(self.named_parameters(), scale)

    def forward(self, state: Float[Tensor, "B m"]) -> Float[Tensor, "B C"]:
        """The logits."""
        logits: Tensor = self.out(SHAPES[self.kind].bend(self.dense(state)))
        return logits


@torch.no_grad()
def redraw(named: Iterable[tuple[str, Tensor]], scale: float) -> None:
    """Parameters as transformers draws them: matrices from N(0, scale²), biases 0, and those that norms
    multiply by 1."""
    for name, tensor in named:
        if tensor.dim() > 1:
            tensor.normal_(0.0, scale)
        else:
            tensor.fill_(0.0 if name.endswith("bias") else 1.0)


def places(labels: Mapping[int, str], classes: Sequence[str]) -> tuple[int, ...] | None:
    """For each class the number of the label that it is: by name, whatever its case, or by that number; None
    unless each label is one class.

    >>> places({0: "NEG", 1: "POS"}, ("neg", "pos")), places({0: "bad", 1: "good"}, ("1", "0"))
    ((0, 1), (1, 0))
    >>> places({0: "bad", 1: "good"}, ("good", "fair")) is None
    True
    """
    named = {name.casefold(): number for number, name in labels.items()}
    numbered = {str(number): number for number in labels}
    for known in (named, numbered):
        found = tuple(known[name.casefold()] for name in classes if name.casefold() in known)
        if len(found) == len(classes) == len(labels) == len({*found}):
            return found
    return None
