"""Answers of audits, made by hand."""

from typing import Any

from holdfast.measure.question import Question
from holdfast.study.answer import Answer, Decides, ExplainerVerdict, Members

NAMES = ("learned", "says", "survives", "matters", "calibrated")
WORDS = {
    "not learned": "learned",
    "says nothing": "says",
    "does not hold": "survives",
    "shaky": "survives",
    "does not matter": "matters",
}
QUALITY = {
    "metric": "accuracy",
    "mean": 0.84,
    "sd": 0.01,
    "n": 10,
    "chance": 0.5,
    "chance_is": "always predicting the most common class",
}


def asked(verdict: str, hold: float | None = 0.8, undecided: str = "survives") -> tuple[Question, ...]:
    """The questions of a verdict: what comes before the one that decides is passed."""
    decides = undecided if verdict == "undecided" else WORDS.get(verdict)
    answers = dict.fromkeys(NAMES, "passed")
    if decides is not None:
        answers[decides] = "undecided" if verdict == "undecided" else "failed"
    made = []
    for name in NAMES:
        value = hold if name == "survives" else 0.9
        low, high = (None, None) if value is None else (max(value - 0.1, 0.0), min(value + 0.1, 1.0))
        own: dict[str, Any] = {"because": f"why {name}", "limit": 0.7}
        if answers[name] == "failed":
            own["words"] = (verdict,)
        made.append(Question(name, answers[name], value, low, high, **own))  # type: ignore[arg-type]
    return tuple(made)


def row(explainer: str = "gradient", verdict: str = "holds", hold: float | None = 0.8, **changes: Any) -> Any:
    """The verdict on one explainer; ``undecided`` is the question that is."""
    undecided = changes.pop("undecided", "survives")
    survives = asked(verdict, hold, undecided)[2]
    about: dict[str, Any] = {
        "data": "planted",
        "model": "cnn",
        "repair": "none",
        "explainer": explainer,
        "verdict": verdict,
        "between": ("shaky", "holds") if verdict == "undecided" else (),
        "reason": f"Because of {explainer}.",
        "questions": asked(verdict, hold, undecided),
        "nearest": "shuffled",
        "hold": hold,
        "low": survives.low,
        "high": survives.high,
        "against": {"shuffled": hold or 0.0, "another input": 0.9},
        "same_strongest": 0.76,
    }
    return ExplainerVerdict(**(about | changes))


def answer(*rows: ExplainerVerdict, **changes: Any) -> Answer:
    """An answer of these rows, the first of which decides."""
    rows = rows or (row(),)
    first = rows[0]
    about: dict[str, Any] = {
        "verdict": first.verdict,
        "between": first.between,
        "headline": f"Show {first.explainer}.",
        "reason": first.reason,
        "do": "Nothing more to do.",
        "decides": Decides(first.model, first.repair, first.explainer),
        "rows": rows,
        "quality": QUALITY,
        "members": Members(10),
    }
    return Answer(**(about | changes))
