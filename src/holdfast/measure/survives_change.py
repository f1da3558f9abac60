"""Does an explanation survive a small change of its input? The worst of several changes answers."""

from collections.abc import Sequence

from holdfast.measure.question import Question, not_asked, percent, worst
from holdfast.measure.survival import Survival, hold_under
from holdfast.measure.survives import INSTANCES, MEMBERS, judged


def survives_change(survivals: Sequence[Survival], of: str = "seed") -> Question:
    """*Does not hold*, *shaky* or passed, as for another seed; of several changes the worst is named.

    Ten members and a hundred changed examples are needed to pass; of a single member the answer is about that
    one, and the examples are enough.
    """
    each = [_one(survival, of) for survival in survivals]
    answer = worst(each).answer
    same = [question for question in each if question.answer == answer]
    return min(same, key=lambda question: 2.0 if question.value is None else question.value)


def _one(survival: Survival, of: str) -> Question:
    held = hold_under(survival)
    if held is None:
        few = f"too few examples can be changed by {survival.perturbation} and laid beside an unrelated one"
        return not_asked("survives_change", few)
    examples, what = int(survival.known.sum()), f" under {survival.perturbation}"
    lacks = ""
    if 1 < held.n < MEMBERS:
        lacks = f"{held.n} {of}s are too few to say that it holds ({MEMBERS} are needed)"
    elif examples < INSTANCES:
        lacks = f"{examples} changed examples are too few to say that it holds ({INSTANCES} are needed)"
    return judged("survives_change", held, lacks, of, what, _flips(survival))


def _flips(survival: Survival) -> str:
    """How often the prediction changes too."""
    flips = survival.flips
    return "" if flips is None else f"the prediction changes in {percent(flips.value)}"
