"""Temperature scaling: one number that makes a model as sure as it is right."""

import math
from dataclasses import dataclass

from jaxtyping import Float, Int
from torch import Tensor

from holdfast.data.base import Split
from holdfast.models.base import TEMPERATURE
from holdfast.models.run import Run
from holdfast.train.evaluate import logits
from holdfast.train.repair import Repair, Tensors

LEAST = 50
COLDEST, WARMEST = 0.05, 20.0
STEPS = 60  # halvings of the logarithm's range: more than float64 can tell apart


@dataclass(frozen=True)
class Temperature(Repair):
    """Divide the logits by the temperature T > 0 with the lowest NLL on the validation split (Guo et al.
    2017).

    Training is untouched, and so is every answer: only its probability changes. T stays 1 where the
    validation split has one class only or fewer than 50 examples, and where no T from 0.05 to 20 is best, as
    when every answer on it is right.
    """

    def finish(self, run: Run, validation: Split) -> Tensors:
        """The same weights at their best temperature."""
        before = run.parameters[TEMPERATURE]
        factor = 1.0
        if len(validation) >= LEAST and not _one_class(validation):
            seen = logits(run.model, run.parameters, validation).double().cpu()
            factor = best_temperature(*run.model.calibrated(seen, validation.targets))
        return run.parameters | {TEMPERATURE: before * factor}


def best_temperature(scores: Float[Tensor, "K A"], targets: Int[Tensor, "K"]) -> float:
    """The T that minimises the mean of ``−log softmax(scores / T)`` of the targets; 1 where none does.

    The NLL is convex in β = 1/T, so the sign of its slope ``E[Σ_a p_a s_a − s_target]`` is all that is
    needed: bisection of ln T in float64.

    >>> import torch
    >>> sure = torch.tensor([[0.0, 3.0]]).repeat(4, 1)
    >>> round(best_temperature(sure, torch.tensor([1, 1, 1, 0])), 3)  # right 3 times in 4: 3 / ln 3
    2.731
    """
    apart = scores.double() - scores.double().gather(-1, targets[:, None])

    def too_sharp(temperature: float) -> bool:
        return float(((apart / temperature).softmax(-1) * apart).sum(-1).mean()) > 0

    if too_sharp(WARMEST) or not too_sharp(COLDEST):
        return 1.0
    low, high = math.log(COLDEST), math.log(WARMEST)
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if too_sharp(math.exp(middle)) else (low, middle)
    return math.exp((low + high) / 2)


def _one_class(split: Split) -> bool:
    """Whether all targets are one class; places among candidates are none."""
    ranked = split.batch(split.targets.new_zeros(1)).candidates is not None
    return not ranked and bool((split.targets == split.targets[0]).all())
