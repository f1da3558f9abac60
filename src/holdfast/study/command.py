"""The command that repeats a run."""

import shlex
from dataclasses import fields

from holdfast.core.settings import label
from holdfast.data.sources import TextSource
from holdfast.study.plan import Plan
from holdfast.train.fit import Fit


def command_of(plan: Plan) -> str:
    """What to type; options at their defaults are left out.

    >>> command_of(Plan((TextSource("reviews.csv", text="review", vectors="glove-100d"),), seeds=5))
    'holdfast audit reviews.csv --text review --vectors glove-100d --seeds 5 --device cpu'
    """
    words = _audit(plan) if plan.study == "audit" else _study(plan)
    plain = Plan(plan.data)
    if plan.seeds != plain.seeds:
        words += ["--seeds", str(plan.seeds)]
    # always said: left out it would mean whatever device a reader has
    return shlex.join([*words, "--device", plan.device, *_fit(plan.fit)])


def _audit(plan: Plan) -> list[str]:
    source = plan.data[0]
    words = ["holdfast", "audit", *([] if source.data == "planted" else [source.data])]
    for field in fields(TextSource):
        value = getattr(source, field.name)
        if field.name not in ("data", "vectors") and value != field.default:
            words += [f"--{field.name.replace('_', '-')}", str(value)]
    words += _vectors(plan.data)
    plain = Plan(plan.data)
    for name, option in (("models", "--model"), ("repairs", "--repair"), ("explainers", "--explainer")):
        if getattr(plan, name) != getattr(plain, name):
            words += [option, ",".join(getattr(plan, name))]
    if plan.instances != plain.instances:
        words += ["--instances", str(plan.instances or "all")]
    return words


def _study(plan: Plan) -> list[str]:
    """A study's own defaults are many, and a reader wants to see what was run."""
    words = ["holdfast", "reproduce", plan.study, "--data", ",".join(source.data for source in plan.data)]
    words += _vectors(plan.data)
    words += ["--model", ",".join(plan.models), "--repair", ",".join(plan.repairs)]
    return words + ([] if plan.instances is None else ["--instances", str(plan.instances)])


def is_planted(data: str) -> bool:
    """Whether this names the generated texts, whose words are too few for pre-trained vectors."""
    return data.partition(":")[0] == "planted"


def _vectors(sources: tuple[TextSource, ...]) -> list[str]:
    """Left out where it is what ``auto`` gives: none for planted texts; several kinds are only had by it."""
    kinds = {source.vectors for source in sources}
    if len(kinds) > 1 or (kinds == {None} and all(is_planted(source.data) for source in sources)):
        return []
    return ["--vectors", str(kinds.pop() or "none")]


def _fit(fit: Fit) -> list[str]:
    words = []
    for name in ("epochs", "batch", "patience"):
        if getattr(fit, name) != getattr(Fit(), name):
            words += [f"--{name}", str(getattr(fit, name))]
    if fit.optimiser != Fit().optimiser:
        words += ["--optimiser", label(fit.optimiser)]
    return words + ["--decay-embeddings"] * fit.decay_embeddings
