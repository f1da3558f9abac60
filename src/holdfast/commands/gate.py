"""The gate: whether an answer is good enough for a pipeline to go on."""

from holdfast.commands.plan import Methods, methods
from holdfast.study.answer import Answer

FLOOR = "random"


def gate(answer: Answer, under: float, explainer: str | None = None) -> bool:
    """Whether the gate stays shut: a question fails, or the lower end of the hold lies below ``under``.

    It asks about the explainer that is named, else about the headline's; nothing measured counts as below.
    """
    row = answer.row if explainer is None else answer.row_of(explainer)
    if row is None or row.low is None or row.low < under:
        return True
    return any(question.answer == "failed" for question in row.questions)


def first_named(explainers: Methods) -> str | None:
    """The first explainer that somebody named; random scores are never judged.

    >>> first_named(["random", "integrated_gradients:steps=20"]), first_named(None)
    ('integrated_gradients:steps=20', None)
    """
    named = methods("explainers", explainers) or ()
    return next((name for name in named if name != FLOOR), None)
