"""What to do next, in one sentence, from the question that decides."""

from dataclasses import replace

from holdfast.core.catalogue import make
from holdfast.data.source import modality_of, reads
from holdfast.measure.question import HOLDS
from holdfast.measure.survives import IMPOSTORS, INSTANCES, MEMBERS
from holdfast.study.answer import ExplainerVerdict
from holdfast.study.command import SAME, audit_command
from holdfast.study.modality import modality
from holdfast.study.plan import Plan, defaults_for

REPAIR, FLOOR = "aswa", "random"
MOST = 50


def advice(row: ExplainerVerdict, plan: Plan, instances: int, best_was_last: bool) -> str:
    """What to do about the verdict of one explainer, of which so many ``instances`` can be judged;
    ``best_was_last`` says that training stopped at its last epoch while it still improved."""
    if row.verdict == "holds":
        return "Nothing more to do."
    if row.verdict == "not learned":
        return _learn(plan, best_was_last)
    if row.verdict == "undecided":
        if _unlearned(row) and (best_was_last or _at_chance(row)):
            return _learn(plan, best_was_last)
        return _settle(row, plan, instances)
    if row.verdict in ("says nothing", "does not matter") or row.changed is not None:
        return another_explainer(plan) or _repair(plan)
    return _repair(plan)


def differently(plan: Plan) -> str:
    """What to do where every seed gives the same member."""
    source = plan.data[0]
    if "resample" not in modality_of(source).reads:
        return "Check that the model uses its seed: there is nothing to compare."
    command = audit_command(replace(plan, data=(replace(source, resample=True),)))
    return f"Train every member on its own draw of the rows: {command}"


def another_explainer(plan: Plan) -> str:
    """Which explainers that suit the data and the models were not asked yet; nothing where all were."""
    suited = defaults_for(plan.data[0], plan.models).explainers
    others = tuple(name for name in suited if name not in (*plan.explainers, FLOOR))
    if not others:
        return ""
    return f"Try other explainers ({SAME}): {audit_command(replace(plan, explainers=others))}"


def _brought(plan: Plan) -> bool:
    """Whether members come from files, so that nothing can be trained on."""
    return any(make("models", model).files for model in plan.models_of(0))


def _unlearned(row: ExplainerVerdict) -> bool:
    return row.deciding is not None and row.deciding.name == "learned"


def _at_chance(row: ExplainerVerdict) -> bool:
    """Whether the models are no better than chance on average: more seeds of them would explain nothing."""
    value, limit = (row.deciding.value, row.deciding.limit) if row.deciding else (None, None)
    return value is not None and limit is not None and value <= limit


def _learn(plan: Plan, best_was_last: bool) -> str:
    if best_was_last:
        longer = replace(plan, fit=replace(plan.fit, epochs=2 * plan.fit.epochs))
        return f"The best epoch was the last one, so train longer: {audit_command(longer)}"
    suspect = modality(reads(plan.data[0])).suspect
    if _brought(plan):
        return f"Check the {suspect}, their order, and whether these are the data that the models are for."
    return f"Longer training would not help: check the {suspect}, or try more data or another --model."


def _settle(row: ExplainerVerdict, plan: Plan, instances: int) -> str:
    if _brought(plan) and plan.seeds == 1 and row.deciding == row.question("survives"):
        return "Bring two more checkpoints, or better nine, each trained with a seed of its own."
    if row.settle == 0:
        needed = f"More than {MOST} seeds would be needed to settle it"
        return f"{needed}, so treat it as “{row.between[0]}”. {_repair(plan)}"
    few = instances < INSTANCES or len(row.against or ()) < IMPOSTORS
    asked = row.deciding is not None and row.deciding.name in HOLDS
    if few and asked and (row.settle or 0) <= plan.seeds:
        return _examples(plan, instances)
    return _seeds(row, plan)


def _seeds(row: ExplainerVerdict, plan: Plan) -> str:
    settle = row.settle or 0
    more, about = max(MEMBERS, 2 * plan.seeds), ""
    if settle > plan.seeds:
        more, about = settle, "about "
    if _brought(plan):
        return f"Bring more checkpoints, {about}{more} in all, each trained with a seed of its own."
    command = audit_command(replace(plan, seeds=more))
    return f"Train more seeds, {about}{more} in all (those trained are kept; {SAME}): {command}"


def _examples(plan: Plan, instances: int) -> str:
    if plan.instances is None or plan.instances > instances:
        return f"Test on more examples: only {instances} can be judged, and {INSTANCES} are needed."
    more = replace(plan, instances=max(2 * INSTANCES, 2 * plan.instances))
    return f"Explain more test examples ({SAME}): {audit_command(more)}"


def _repair(plan: Plan) -> str:
    if _brought(plan):
        return "Show what several checkpoints agree on, or train others: a repair changes training."
    if any(REPAIR in repair for repair in plan.repairs):
        return "No repair of this run is enough: show what several seeds agree on, or try another --model."
    if any(make("models", model).fits for model in plan.models):
        return "Show what several members agree on, or try another --model: no repair suits these."
    command = audit_command(replace(plan, repairs=(*plan.repairs, REPAIR)))
    return f"Try a repair, training that should make explanations hold: {command}"
