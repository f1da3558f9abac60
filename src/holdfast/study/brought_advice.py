"""What to do next about scores that somebody brought, in one sentence."""

from holdfast.data.reading import listed
from holdfast.measure.hold import MOST
from holdfast.measure.question import HOLDS
from holdfast.measure.survives import INSTANCES, MEMBERS
from holdfast.study.answer import ExplainerVerdict
from holdfast.study.unasked import lacks

LEARN = "Train the models longer or on more data, check the labels, and explain them again."
ANOTHER = "Try another explainer, and bring its scores beside these."
REPAIR = (
    "Show only what the seeds agree on, try another explainer, or train models whose explanations hold: "
    "networks, for example, whose weights are averaged over the last epochs."
)


def brought_advice(row: ExplainerVerdict, members: int, instances: int) -> str:
    """What to do about the verdict of one explainer, by so many members, of which so many examples can be
    judged."""
    if row.verdict == "holds":
        missing = lacks(row.questions)
        return f"Give {listed(missing)}, and the rest is asked." if missing else "Nothing more to do."
    if row.verdict == "not learned":
        return LEARN
    if row.verdict == "undecided":
        return _settle(row, members, instances)
    if row.verdict in ("says nothing", "does not matter"):
        return ANOTHER
    return REPAIR


def _settle(row: ExplainerVerdict, members: int, instances: int) -> str:
    asked, settle = row.deciding, row.settle or 0
    if members == 1:
        return (
            "Train the model again with other seeds, explain the same examples for the same classes with "
            f"each, and bring all their scores: {MEMBERS} seeds can say whether it holds."
        )
    if asked is not None and asked.name == "learned" and (asked.value or 0.0) <= (asked.limit or 0.0):
        return LEARN
    if instances < INSTANCES and asked is not None and asked.name in HOLDS and settle <= members:
        return f"Bring more examples: only {instances} can be judged, and {INSTANCES} are needed."
    if row.settle == 0:
        needed = f"More than {MOST} seeds would be needed to settle it"
        return f"{needed}, so treat it as “{row.between[0]}”. {REPAIR}"
    more = settle if settle > members else max(MEMBERS, 2 * members)
    return f"Bring the scores of more seeds, {'about ' if settle > members else ''}{more} in all."
