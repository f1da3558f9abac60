"""The command that repeats a run."""

import shlex
from collections.abc import Sequence
from dataclasses import fields, replace

from holdfast.core.settings import label
from holdfast.data.sources import Source, reads
from holdfast.study import relevance_plan, rollout_plan
from holdfast.study.plan import Plan, read_by, usual
from holdfast.train.fit import Fit

STUDIES = {study.NAME: study for study in (relevance_plan, rollout_plan)}


def command_of(plan: Plan) -> str:
    """What to type; options at their defaults are left out.

    >>> command_of(Plan((Source("reviews.csv", text="review", vectors="glove-100d"),), seeds=5))
    'holdfast audit reviews.csv --text review --vectors glove-100d --seeds 5 --device cpu'
    """
    words = _audit(plan) if plan.study == "audit" else _study(plan)
    if plan.study == relevance_plan.NAME or plan.seeds != 10:
        words += ["--seeds", str(plan.seeds)]
    # always said: left out it would mean whatever device a reader has
    return shlex.join([*words, "--device", plan.device, *_fit(plan)])


def _audit(plan: Plan) -> list[str]:
    source = plan.data[0]
    words = ["holdfast", "audit", *([] if source.data == "planted" else [source.data])]
    typed = Source(source.data, user=source.user, item=source.item)
    known = replace(read_by(typed, plan.models), user=None, item=None)
    for field in fields(Source):
        value = getattr(source, field.name)
        if field.name not in ("data", "vectors") and value != getattr(known, field.name):
            words += [f"--{field.name.replace('_', '-')}", str(value)]
    words += _vectors(plan.data)
    plain = Plan(plan.data, usual(typed).models, explainers=usual(source, plan.models).explainers)
    for name, option in (("models", "--model"), ("repairs", "--repair"), ("explainers", "--explainer")):
        if getattr(plan, name) != getattr(plain, name):
            words += [option, ",".join(getattr(plan, name))]
    if plan.instances != plain.instances:
        words += ["--instances", str(plan.instances or "all")]
    return words


def _study(plan: Plan) -> list[str]:
    """A study's own defaults are many, and a reader wants to see what was run."""
    names: Sequence[str] = [source.data for source in plan.data]
    models: Sequence[str] | None = plan.models
    if plan.study in STUDIES:
        names, models = STUDIES[plan.study].said(plan)
    words = ["holdfast", "reproduce", plan.study, "--data", ",".join(names), *_vectors(plan.data)]
    length = plan.data[0].max_length  # the same for every data set
    words += [] if length == Source().max_length else ["--max-length", str(length)]
    words += [] if models is None else ["--model", ",".join(models)]
    words += ["--repair", ",".join(plan.repairs)]
    if plan.study == relevance_plan.NAME:
        return [*words, "--folds", str(plan.folds), "--instances", str(plan.instances or "all")]
    return words + ([] if plan.instances is None else ["--instances", str(plan.instances)])


def is_planted(data: str) -> bool:
    """Whether this names the generated texts, whose words are too few for pre-trained vectors."""
    return data.partition(":")[0] == "planted"


def _vectors(sources: tuple[Source, ...]) -> list[str]:
    """Left out where it is what ``auto`` gives, none for planted texts, images and items; several kinds are
    only had by it."""
    kinds = {source.vectors for source in sources}
    plain = [is_planted(source.data) or reads(source) != "words" for source in sources]
    if len(kinds) > 1 or (kinds == {None} and all(plain)):
        return []
    return ["--vectors", str(kinds.pop() or "none")]


def _fit(plan: Plan) -> list[str]:
    fit = plan.fit
    own = usual(plan.data[0]).fit if plan.study == "audit" else Fit()
    own = STUDIES[plan.study].FIT if plan.study in STUDIES else own
    words = []
    for name in ("epochs", "batch", "patience"):
        if getattr(fit, name) != getattr(own, name):
            words += [f"--{name}", str(getattr(fit, name))]
    if fit.optimiser != own.optimiser:
        words += ["--optimiser", label(fit.optimiser)]
    return words + ["--decay-embeddings"] * fit.decay_embeddings
