"""What would have to be given for the questions that were not asked."""

from collections.abc import Sequence

from holdfast.data.reading import listed
from holdfast.measure.question import Name, Question, not_asked

WHETHER: dict[Name, str] = {
    "learned": "whether the models learned",
    "says": "whether it says anything",
    "survives": "whether it survives another seed",
    "survives_change": "whether it survives a small change of the input",
    "matters": "whether it matters to the model",
    "calibrated": "whether the confidence is right where it is used",
}
GIVE = "give "


def lacking(name: Name, what: str) -> Question:
    """A question that was not asked as something was not given.

    >>> lacking("learned", "labels").because
    'give labels, and it is asked whether the models learned'
    """
    return not_asked(name, f"{GIVE}{what}, and it is asked {WHETHER[name]}")


def lacks(questions: Sequence[Question]) -> tuple[str, ...]:
    """What would have to be given, each once.

    >>> lacks([lacking("learned", "labels"), lacking("calibrated", "labels"), not_asked("says", "too short")])
    ('labels',)
    """
    told = (question.because for question in questions if question.answer == "not asked")
    ends = [one.partition(", and it is asked ")[0] for one in told if one.startswith(GIVE)]
    return tuple(dict.fromkeys(one.removeprefix(GIVE) for one in ends))


def unasked(questions: Sequence[Question]) -> str:
    """What was not asked, and what to give, in a sentence; nothing where everything was.

    >>> unasked([lacking("learned", "labels"), lacking("says", "labels")])
    'Not asked: whether the models learned and whether it says anything (give labels).'
    """
    groups: dict[str, list[str]] = {}
    for question in questions:
        if question.answer == "not asked":
            told = question.because.partition(", and it is asked ")[0]
            groups.setdefault(told, []).append(WHETHER[question.name])
    parts = [f"{listed(names)} ({why})" for why, names in groups.items()]
    return f"Not asked: {'; '.join(parts)}." if parts else ""
