"""The verdict: a chain of questions. The first that fails gives the word, and an undecided one ends it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from holdfast.data.reading import listed
from holdfast.measure.question import HOLDS, Name, Question, Word

SAID: dict[str, str] = {
    "not learned": "The models have not learned",
    "says nothing": "It says nothing",
    "does not hold": "It does not hold",
    "shaky": "It is shaky",
    "does not matter": "It does not matter to the model",
    "holds": "It holds",
}


OF_HOLD: tuple[Word, ...] = ("does not hold", "shaky", "holds")
"""Whatever survives another seed may be, where that cannot be asked."""


@dataclass(frozen=True)
class Verdict:
    """A word, and every question with its answer.

    ``between`` are the words that an undecided verdict lies between; ``decides`` is the question that gave
    the word, None where all were passed; ``of`` is what members are.
    """

    word: Word | Literal["undecided"]
    between: tuple[Word, ...]
    questions: tuple[Question, ...]
    decides: Name | None
    of: str = "seed"

    @property
    def reason(self) -> str:
        """The verdict in one sentence."""
        said = SAID.get(self.word) or f"Undecided between {quoted(self.between)}"
        name = self.decides or "survives"
        decisive = next((question for question in self.questions if question.name == name), None)
        because = f": {decisive.because}" if decisive is not None and decisive.because else ""
        return f"{said}{because}.{_settled(decisive, self.of)}"


def judge(questions: Sequence[Question], of: str = "seed") -> Verdict:
    """The verdict that follows from the answers, asked in their order; those that only warn change nothing.

    >>> judge([Question("learned", "passed"), Question("survives", "failed", words=("shaky",))]).word
    'shaky'
    """
    word, between, decides = _chain(tuple(question for question in questions if question.decides))
    return Verdict(word, between, tuple(questions), decides, of)


def quoted(words: Sequence[str]) -> str:
    """Words that a verdict lies between, as a sentence has them.

    >>> quoted(["shaky", "holds"])
    '“shaky” and “holds”'
    """
    return listed([f"“{word}”" for word in words])


def _chain(
    questions: tuple[Question, ...],
) -> tuple[Word | Literal["undecided"], tuple[Word, ...], Name | None]:
    for place, question in enumerate(questions):
        if question.answer == "failed":
            return question.words[0], (), question.name
        unasked = question.name == "survives" and question.answer == "not asked"
        if question.answer == "undecided" or unasked:
            word, between, _ = _chain(questions[place + 1 :])
            after: tuple[Word, ...] = between or (word,)  # type: ignore[assignment]
            words = OF_HOLD if unasked else question.words
            return "undecided", _before(question.name, words, after), question.name
    return "holds", (), None


def _before(name: Name, words: tuple[Word, ...], after: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words an undecided question lies between, given those that follow where it is passed."""
    may_pass = name not in HOLDS or "holds" in words
    failing = [word for word in words if word != "holds"]
    return tuple(dict.fromkeys([*failing, *(after if may_pass else ())]))


def _settled(question: Question | None, of: str) -> str:
    if question is None or question.settle is None:
        return ""
    if question.settle == 0:
        return f" More than 50 {of}s would be needed to settle it."
    return f" About {question.settle} {of}s are expected to settle it."
