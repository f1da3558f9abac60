"""The marks and names of the questions, wherever an answer is shown as text."""

from holdfast.study.answer import Answer

MARKS = {"passed": "✓", "failed": "✗", "undecided": "?", "not asked": "–", "warning": "!"}
LEGEND = "✓ passed, ✗ failed, ? undecided, – not asked"
COLUMNS = {
    "learned": "learned",
    "says": "says something",
    "survives": "survives a seed",
    "survives_change": "a change",
    "matters": "matters",
    "calibrated": "confidence right",
}
COMMAND = "holdfast audit"


def columns(answer: Answer) -> dict[str, str]:
    """The questions with their names; whether it survives a change only where somebody asked."""
    asked = {question.name for row in answer.rows for question in row.questions}
    return {name: title for name, title in COLUMNS.items() if name != "survives_change" or name in asked}


def quality_line(answer: Answer) -> str:
    """How good the models are, in a sentence."""
    quality = answer.quality
    if quality["mean"] is None:
        return f"How good the {answer.members.trained} models are is not known."
    called, mean, sd = str(quality["metric"]).capitalize(), 100 * quality["mean"], 100 * quality["sd"]
    chance = f"{100 * quality['chance']:.1f} % by {quality['chance_is']}"
    many = f"± {sd:.1f} over {answer.members.trained} seeds" if answer.members.trained > 1 else "in one model"
    return f"{called} {mean:.1f} % {many} ({chance})."


def split_command(do: str) -> tuple[str, str]:
    """What to do, and the command for it, where there is one.

    >>> split_command("Try a repair: holdfast audit --repair none,aswa")
    ('Try a repair:', 'holdfast audit --repair none,aswa')
    """
    sentence, command, rest = do.partition(COMMAND)
    return sentence.rstrip(), command + rest
