"""The order of the verdicts, for examples and what explainers say of them."""

from collections.abc import Sequence

from holdfast.study.answer import ExplainerVerdict
from holdfast.study.findings import Example, Heat


def in_order(
    examples: Sequence[Example], order: Sequence[ExplainerVerdict]
) -> list[tuple[Example, list[Heat]]]:
    """Examples and their heat maps in the order of the verdicts on families and explainers."""
    explainers = list(dict.fromkeys(row.explainer for row in order))
    families = list(dict.fromkeys((row.data, row.model, row.repair) for row in order))
    by_family = sorted(examples, key=lambda e: _place(families, (e.data, e.model, e.repair)))
    return [(e, sorted(e.heats, key=lambda heat: _place(explainers, heat.explainer))) for e in by_family]


def _place(order: Sequence[object], one: object) -> int:
    return order.index(one) if one in order else len(order)
