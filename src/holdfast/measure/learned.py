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
    both in the error: few test examples prove little, however alike the members are. Of a single member the
    answer is about that one, with the examples alone in its error.
    """
    accuracy = _mean(right, [(right, 1.0)], _alike(right.double().mean(0)))
    metric = metric if len(right) > 1 else f"{metric} of this one model"
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


def _mean(each: Float[Tensor, "M N"], parts: list[tuple[Tensor, float]], least: float = 0.0) -> Interval:
    """The mean over members and examples; examples' variance is that of ``parts``, each with its weight, and
    ``least`` or more."""
    members, n = each.double().mean(1), len(each)
    value = float(members.mean())
    examples = max(sum(weight**2 * _variance(part.double().mean(0)) for part, weight in parts), least)
    of_members = float(members.var()) / n if n > 1 else 0.0
    freedom = sum(part.shape[1] - 1 for part, _ in parts) if n == 1 or least else n - 1
    half = t_quantile(max(freedom, 1)) * math.sqrt(of_members + examples)
    return Interval(value, max(value - half, 0.0), min(value + half, 1.0), n)


def _variance(values: Float[Tensor, "N"]) -> float:
    """Of the mean."""
    return float(values.var()) / len(values) if len(values) > 1 else 0.0


def _alike(values: Float[Tensor, "N"]) -> float:
    """The variance to assume where all examples are alike: that of two more right and two more wrong (Agresti
    & Coull 1998), as three right in three prove less than three hundred.

    >>> _alike(torch.tensor([1.0, 0.0])), round(_alike(torch.ones(3)), 3), round(_alike(torch.ones(300)), 5)
    (0.0, 0.029, 2e-05)
    """
    if bool((values != values[0]).any()):
        return 0.0
    share, count = (float(values.sum()) + 2) / (len(values) + 4), len(values) + 4
    return share * (1 - share) / count
