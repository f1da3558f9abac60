"""What to do next about a recipe's explanations, in one sentence."""

import re

from holdfast.data.reading import listed
from holdfast.measure.hold import MOST
from holdfast.measure.question import HOLDS
from holdfast.measure.survives import INSTANCES, MEMBERS
from holdfast.study.answer import ExplainerVerdict
from holdfast.study.brought_advice import LEARN, REPAIR
from holdfast.study.command import SAME
from holdfast.study.recipe.plan import RecipePlan
from holdfast.study.unasked import lacks

DRAW = (
    "Let train use its seed: for a learner that has none, draw the rows that it trains on, with replacement, "
    "by the seed."
)
ANOTHER = "Try another explainer: let explain return its scores beside these, by name."


def recipe_advice(row: ExplainerVerdict, plan: RecipePlan, members: int, instances: int, command: str) -> str:
    """What to do about the verdict of one explainer, by so many ``members`` that differ, of which so many
    ``instances`` can be judged; ``command`` is what goes on with the run."""
    if members == 1:
        return DRAW
    if row.verdict == "holds":
        missing = lacks(row.questions)
        return f"Give {listed(missing)}, and the rest is asked." if missing else "Nothing more to do."
    if row.verdict == "not learned":
        return LEARN
    if row.verdict == "undecided":
        return _settle(row, plan, instances, command)
    return ANOTHER if row.verdict in ("says nothing", "does not matter") else REPAIR


def _settle(row: ExplainerVerdict, plan: RecipePlan, instances: int, command: str) -> str:
    asked, settle = row.deciding, row.settle or 0
    if asked is not None and asked.name == "learned" and (asked.value or 0.0) <= (asked.limit or 0.0):
        return LEARN
    if row.settle == 0:
        needed = f"More than {MOST} seeds would be needed to settle it"
        return f"{needed}, so treat it as “{row.between[0]}”. {REPAIR}"
    if instances < INSTANCES and asked is not None and asked.name in HOLDS and settle <= plan.seeds:
        return f"Give more rows: only {instances} can be judged, and {INSTANCES} are needed."
    more = settle if settle > plan.seeds else max(MEMBERS, 2 * plan.seeds)
    about = "about " if settle > plan.seeds else ""
    return f"Train more seeds, {about}{more} in all (those trained are kept; {SAME}): {_with(command, more)}"


def _with(command: str, seeds: int) -> str:
    """The command with so many seeds.

    >>> _with("holdfast audit --recipe mine.py --seeds 5", 20), _with("holdfast.audit(data, seeds=5)", 20)
    ('holdfast audit --recipe mine.py --seeds 20', 'holdfast.audit(data, seeds=20)')
    """
    return re.sub(r"(--seeds |seeds=)\d+", rf"\g<1>{seeds}", command)
