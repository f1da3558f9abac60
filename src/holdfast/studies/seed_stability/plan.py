"""The study of Jain's chapter 4: do explanations survive another seed, and does averaging weights help?"""

from collections.abc import Sequence
from dataclasses import replace

from holdfast.data.source import Source
from holdfast.study.needs import Needs
from holdfast.study.overrides import Overrides
from holdfast.study.plan import Plan
from holdfast.train.fit import Fit
from holdfast.train.optimise import Adam

NAME = "seed-stability"
NEEDS = Needs("text", attends=True)
EXPLAINERS = ("attention", "gradient", "random")
COMPARISONS = ("kl", "jensen_shannon", "jaccard")
MODELS = ("cnn", "bilstm", "cnn:attention=dot", "bilstm:attention=dot")
REPAIRS = ("none", "aswa", "naswa", "naswa:per=tensor")
LENGTH = Source().max_length


def plan(overrides: Overrides) -> Plan:
    """The study's plan with overrides; two models and three repairs unless said otherwise."""
    names = ("planted",) if overrides.data is None else overrides.data
    return plan_of(
        [_source(name, overrides) for name in names],
        MODELS[:2] if overrides.models is None else overrides.models,
        REPAIRS[:3] if overrides.repairs is None else overrides.repairs,
        10 if overrides.seeds is None else overrides.seeds,
        overrides.fit(Fit()),
        None if overrides.instances == "default" else overrides.instances,
        overrides.device,
        overrides.quick,
    )


def plan_of(
    data: Sequence[Source],
    models: Sequence[str],
    repairs: Sequence[str],
    seeds: int,
    fit: Fit,
    instances: int | None,
    device: str,
    quick: bool,
) -> Plan:
    """The study's plan; ``quick`` is the same on a little planted data."""
    plan = Plan(
        data=tuple(data),
        models=tuple(models),
        repairs=tuple(repairs),
        seeds=seeds,
        explainers=EXPLAINERS,
        comparisons=COMPARISONS,
        fit=fit,
        instances=instances,
        device=device,
        study=NAME,
    )
    if not quick:
        return plan
    length = max(source.max_length for source in data)
    small = (Source("planted:train=600,validation=100,test=150", max_length=length),)
    # averaging needs steps, more than it needs texts: small batches
    fast = replace(fit, epochs=min(fit.epochs, 12), batch=min(fit.batch, 8))
    return replace(plan, data=small, seeds=min(seeds, 5), fit=fast)


def as_printed(plan: Plan) -> bool:
    """Whether the training is that of the document's tables, which are of Adam."""
    return isinstance(plan.fit.optimiser, Adam)


def _source(name: str, overrides: Overrides) -> Source:
    length = LENGTH if overrides.max_length is None else overrides.max_length
    return Source(name, vectors=overrides.vectors(name), max_length=length)
