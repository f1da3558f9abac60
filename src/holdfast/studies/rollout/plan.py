"""What the study of attention in sequential recommenders trains and explains (Baumhauer ch. 3 to 5)."""

from collections.abc import Sequence
from dataclasses import replace

from holdfast.core.catalogue import make
from holdfast.core.settings import label
from holdfast.data.source import Source
from holdfast.studies.base import Pair, shortest
from holdfast.studies.rollout.names import DATA as PUBLISHED
from holdfast.studies.rollout.names import SHAPES, model_of
from holdfast.study.needs import Needs
from holdfast.study.overrides import Overrides
from holdfast.study.plan import Plan
from holdfast.train.fit import Fit
from holdfast.train.optimise import Adam

NAME = "rollout"
NEEDS = Needs("interaction", attends=True, ordered=True)
DATA = ("ml-1m", "amazon-games")
# so many users of so few items, and histories so short, that small models learn it in a minute
QUICK_DATA = "planted-plays:length=9,samples=2,holdout=validation,users=1000,items=105"
SMALL = ",dim=32,dropout=0.0"
LONG = {"ml-1m": "ml-1m:length=200,holdout=validation"}  # genres want two hundred movies in a row (§4.2.3)
LONG_MODELS = ("sasrec:blocks=1",)
SAMPLES, QUICK_SAMPLES = 1024, 128
# a window of every user (ML-1M: five) is an epoch; the document stops after ten of them
FIT = Fit(epochs=10, batch=128, patience=10, optimiser=Adam(lr=1e-3, weight_decay=0.0))
QUICK = Fit(epochs=16, batch=64, patience=16, optimiser=Adam(lr=5e-3, weight_decay=0.0))
KEPT, QUICK_KEPT = 3, 2  # seeds whose weights are kept after every epoch
COMPARISONS = ("jensen_shannon", "spearman", "jaccard:k=3")


def explainers(samples: int) -> tuple[str, ...]:
    """The document's rankings, what gives attention a sign, and chance."""
    return (
        "rollout",
        "gradient",
        "attention_first",
        "attention_last",
        f"shapley:samples={samples},absent=column",
        "leave_one_out",
        "signed_attention",
        "random",
    )


def plan(overrides: Overrides) -> Plan:
    """Every shape of SASRec and BERT4Rec on each data set; ``quick`` is two of each on planted-plays.

    On data of the document the item to predict is the validation item, as in all its figures; other data, and
    models that were named, are taken as they are written.
    """
    overrides.without_texts(NAME)
    quick = overrides.quick
    names = (QUICK_DATA,) if quick else DATA if overrides.data is None else tuple(overrides.data)
    small = names == (QUICK_DATA,)
    pairs = [pair for name in names for pair in _pairs(name, overrides)]
    fit = overrides.fit(QUICK if quick else FIT)
    return Plan(
        data=tuple(Source(source) for source, _ in pairs),
        models=tuple(dict.fromkeys(model for _, models in pairs for model in models)),
        per_data=tuple(models for _, models in pairs),
        repairs=("none",) if overrides.repairs is None else tuple(overrides.repairs),
        seeds=overrides.seeds if overrides.seeds is not None else 3 if quick else 10,
        explainers=explainers(QUICK_SAMPLES if small else SAMPLES),
        comparisons=COMPARISONS,
        # every member takes as many steps: nobody stops early
        fit=replace(
            fit,
            patience=max(fit.patience, fit.epochs),
            snapshots=QUICK_KEPT if small else KEPT,
            last=True,  # the best epoch would be chosen by the very item to predict
        ),
        instances=(60 if quick else 1000) if overrides.instances == "default" else overrides.instances,
        target="truth",
        device=overrides.device,
        study=NAME,
    )


def written(plan: Plan) -> tuple[Sequence[str], Sequence[str] | None]:
    """Which ``--data`` and ``--model`` (None: the study's own) give a plan's data and models."""
    whole = {_validated(name): name for name in PUBLISHED} | {long: name for name, long in LONG.items()}
    short = tuple(dict.fromkeys(whole.get(source.data, source.data) for source in plan.data))
    return shortest(plan, short, lambda name, models: _pairs(name, Overrides(models=models)))


def _pairs(name: str, overrides: Overrides) -> list[Pair]:
    """The data as they are read, with the models that are trained on them."""
    data = _validated(name) if name in PUBLISHED else name
    if overrides.models is not None:
        return [(data, _labels(overrides.models))]
    if name == QUICK_DATA:
        few = [shape for shape in SHAPES if shape.blocks < 3 and shape.heads == 1]
        return [(data, _labels([model_of(shape, name) + SMALL for shape in few]))]
    pairs = [(data, _labels([model_of(shape, name) for shape in SHAPES]))]
    return pairs + ([(LONG[name], LONG_MODELS)] if name in LONG else [])


def _validated(name: str) -> str:
    return f"{name}:holdout=validation"


def _labels(models: Sequence[str]) -> tuple[str, ...]:
    """One spelling each."""
    return tuple(label(make("models", text)) for text in models)
