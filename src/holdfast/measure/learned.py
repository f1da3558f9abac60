"""Did the models learn anything? Accuracy and balanced accuracy against what is had without learning."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.measure.question import Question, above, percent, worst
from holdfast.measure.reduce import Interval, t_quantile


def learned(
    right: Float[Tensor, "M N"], chance: float, by: str, metric: str, targets: Int[Tensor, "N"] | None = None
) -> Question:
    """Whether members are right more often than chance, and balanced over the classes of ``targets`` too.

    ``right`` is 1 where a member is right; ``by`` says who is right by ``chance``. Members and examples are
    both in the error: few test examples prove little, however alike the members are.
    """
    accuracy = _mean(right, [(right, 1.0)])
    questions = [_above(accuracy, chance, metric, by)]
    if targets is not None:
        classes = sorted(set(targets.tolist()))
        share = 1.0 / len(classes)
        parts = [(right[:, targets == one], share) for one in classes]
        balanced = torch.stack([part.double().mean(1) for part, _ in parts], 1)
        questions.append(_above(_mean(balanced, parts), share, f"balanced {metric}", "guessing a class"))
    return worst(questions)


def _above(value: Interval, chance: float, metric: str, by: str) -> Question:
    ends = (
        "" if value.low is None or value.high is None else f" [{percent(value.low)}, {percent(value.high)}]"
    )
    because = f"the {metric} is {percent(value.value)}{ends}; {by} has {percent(chance)}"
    return above("learned", value, chance, "not learned", because)


def _mean(each: Float[Tensor, "M N"], parts: list[tuple[Tensor, float]]) -> Interval:
    """The mean over members and examples; examples' variance is that of ``parts``, each with its weight."""
    members, n = each.double().mean(1), len(each)
    value = float(members.mean())
    if n < 2:
        return Interval(value, None, None, n)
    examples = sum(weight**2 * _variance(part.double().mean(0)) for part, weight in parts)
    half = t_quantile(n - 1) * math.sqrt(float(members.var()) / n + examples)
    return Interval(value, max(value - half, 0.0), min(value + half, 1.0), n)


def _variance(values: Float[Tensor, "N"]) -> float:
    """Of the mean."""
    return float(values.var()) / len(values) if len(values) > 1 else 0.0
