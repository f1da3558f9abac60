"""The command that repeats a run."""

import shlex
from dataclasses import fields

from holdfast.core.settings import label
from holdfast.data.sources import TextSource
from holdfast.study.plan import Plan
from holdfast.train.fit import Fit

SOURCE = {"text": "--text", "label": "--label", "query": "--query", "vectors": "--vectors"}


def command_of(plan: Plan) -> str:
    """What to type; options at their defaults are left out.

    >>> command_of(Plan((TextSource("reviews.csv", text="review"),), seeds=5))
    'holdfast audit reviews.csv --text review --seeds 5'
    """
    plain = Plan(plan.data, study=plan.study)
    names = [source.data for source in plan.data]
    if plan.study == "audit":
        words = ["holdfast", "audit", *([] if names == ["planted"] else names)]
    else:
        words = ["holdfast", "reproduce", plan.study, "--data", ",".join(names)]
    words += _source(plan.data[0])
    for name, option in (("models", "--model"), ("repairs", "--repair"), ("explainers", "--explainer")):
        if getattr(plan, name) != getattr(plain, name):
            words += [option, ",".join(getattr(plan, name))]
    for name in ("seeds", "instances", "device"):
        if getattr(plan, name) != getattr(plain, name):
            words += [f"--{name}", str(getattr(plan, name) or "all")]
    words += _fit(plan.fit)
    return shlex.join(words)


def _source(source: TextSource) -> list[str]:
    words = []
    for field in fields(TextSource):
        value = getattr(source, field.name)
        if field.name != "data" and value != field.default:
            words += [SOURCE.get(field.name, f"--{field.name.replace('_', '-')}"), str(value)]
    return words


def _fit(fit: Fit) -> list[str]:
    words = []
    for name in ("epochs", "batch", "patience"):
        if getattr(fit, name) != getattr(Fit(), name):
            words += [f"--{name}", str(getattr(fit, name))]
    if fit.optimiser != Fit().optimiser:
        words += ["--optimiser", label(fit.optimiser)]
    return words + ["--decay-embeddings"] * fit.decay_embeddings
