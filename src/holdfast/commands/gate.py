"""The gate: whether an answer is good enough for a pipeline to go on."""

from holdfast.study.answer import Answer


def gate(answer: Answer, under: float, explainer: str | None = None) -> bool:
    """Whether the gate stays shut: a question fails, or the lower end of the hold lies below ``under``.

    It asks about the explainer that is named, else about the headline's; nothing measured counts as below.
    """
    row = answer.row if explainer is None else answer.row_of(explainer)
    if row is None or row.low is None or row.low < under:
        return True
    return any(question.answer == "failed" for question in row.questions)
