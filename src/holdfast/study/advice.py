"""What to do next, in one sentence, from the question that decides."""

from dataclasses import replace

from holdfast.measure.survives import INSTANCES, MEMBERS
from holdfast.study.answer import ExplainerVerdict
from holdfast.study.command import audit_command
from holdfast.study.plan import Plan

REPAIR, OTHERS = "aswa", "integrated_gradients,leave_one_out"
MOST = 50


def advice(row: ExplainerVerdict, plan: Plan, instances: int, best_was_last: bool) -> str:
    """What to do about the verdict of one explainer; ``best_was_last`` says that training stopped at its
    last epoch while it still improved."""
    if row.verdict == "holds":
        return "Nothing more to do."
    if row.verdict == "not learned":
        return _learn(plan, best_was_last)
    if row.verdict == "undecided":
        return _settle(row, plan, instances)
    if row.verdict in ("says nothing", "does not matter"):
        return f"Try another explainer: {_typed(replace(plan, explainers=tuple(OTHERS.split(','))))}"
    return _repair(plan)


def _learn(plan: Plan, best_was_last: bool) -> str:
    if best_was_last:
        longer = replace(plan, fit=replace(plan.fit, epochs=2 * plan.fit.epochs))
        return f"The best epoch was the last one: train longer, {_typed(longer)}"
    return "Longer training would not help: check the labels, or try more data or another --model."


def _settle(row: ExplainerVerdict, plan: Plan, instances: int) -> str:
    if row.settle == 0:
        needed = f"More than {MOST} seeds would be needed to settle it"
        return f"{needed}: treat it as {row.between[0]}. {_repair(plan)}"
    if row.settle is not None and row.settle > plan.seeds:
        typed = _typed(replace(plan, seeds=row.settle))
        return f"Train more seeds, about {row.settle}; those trained are kept: {typed}"
    if plan.instances is not None and instances < INSTANCES <= plan.instances:
        return (
            f"There are {instances} test examples that can be judged: give it more ({INSTANCES} are needed)."
        )
    if plan.instances is not None and instances < INSTANCES:
        return f"Explain more examples: {_typed(replace(plan, instances=2 * INSTANCES))}"
    more = max(MEMBERS, 2 * plan.seeds)
    return f"Train more seeds; those trained are kept: {_typed(replace(plan, seeds=more))}"


def _repair(plan: Plan) -> str:
    if any(REPAIR in repair for repair in plan.repairs):
        return "No repair of this run is enough: show what several seeds agree on, or try another --model."
    return f"Try a repair: {_typed(replace(plan, repairs=tuple(dict.fromkeys((*plan.repairs, REPAIR)))))}"


def _typed(plan: Plan) -> str:
    return audit_command(plan)
