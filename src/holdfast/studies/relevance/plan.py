"""What the study of relevance through time trains and explains (Chormai ch. 4)."""

from collections.abc import Sequence
from dataclasses import replace

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.settings import build, label, split_label
from holdfast.data.image.sets.base import ImageSet
from holdfast.data.named_sets import named_sets
from holdfast.data.source import Source
from holdfast.studies.base import Pair, shortest
from holdfast.studies.relevance.names import SMALL_BIAS
from holdfast.study.needs import Needs
from holdfast.study.overrides import Overrides
from holdfast.study.plan import Plan
from holdfast.train.fit import Fit
from holdfast.train.optimise import Adam

NAME = "relevance"
NEEDS = Needs("image")
EXPLAINERS = ("deep_taylor", "lrp", "guided_backprop", "sensitivity", "simple_taylor", "random")
COMPARISONS = ("jensen_shannon", "cosine")
MAJORITY = (
    "shallow",
    "deep",
    "deep_v2",
    "convdeep",
    "deep:stationary=true",
    "rlstm",
    "rlstm:stationary=true",
    "conv+deep",
    "convrlstm:stationary=true",
    "conv+rlstm:stationary=true",
)
SEQUENCE, CONTROL = ("shallow", "deep"), "lenet"
STEPS = {"mnist": (1, 4, 7), "fashion-mnist": (1, 4, 7), "digits": (1, 2, 4)}
MAJORITIES = {"mnist": "mnist-maj", "fashion-mnist": "fashion-maj", "digits": "digits-maj"}
DATA = ("mnist", "fashion-mnist")
# the document trains 100 epochs with rates from 1e-4 to 5e-4; dense cells have not levelled off after 20
FIT = Fit(epochs=20, batch=50, patience=20, optimiser=Adam(lr=5e-4, weight_decay=0.0))
QUICK = Fit(epochs=8, batch=50, patience=8, optimiser=Adam(lr=3e-3, weight_decay=0.0))


def plan(overrides: Overrides) -> Plan:
    """Sequence task and majority task of each data set; ``quick`` is the same on the embedded digits.

    A data set that is none of the study's own (``digits-maj:steps=6``) is taken as it is written, with the
    models that were named; a majority task that says nothing of folds gets those of the study.
    """
    overrides.without_texts(NAME)
    quick = overrides.quick
    names = ("digits",) if quick else DATA if overrides.data is None else overrides.data
    folds = overrides.folds if overrides.folds is not None else 2 if quick else 7
    pairs = [pair for name in names for pair in _pairs(name, folds, overrides)]
    fit = overrides.fit(QUICK if quick else FIT)
    whole = Plan(
        data=tuple(Source(source) for source, _ in pairs),
        models=tuple(dict.fromkeys(model for _, models in pairs for model in models)),
        per_data=tuple(models for _, models in pairs),
        repairs=("none",) if overrides.repairs is None else tuple(overrides.repairs),
        seeds=overrides.seeds if overrides.seeds is not None else 2 if quick else 5,
        folds=folds,
        explainers=EXPLAINERS,
        comparisons=COMPARISONS,
        fit=fit,
        instances=(40 if quick else 500) if overrides.instances == "default" else overrides.instances,
        target="truth",
        device=overrides.device,
        study=NAME,
    )
    _check([name for name, _ in pairs], folds)
    # every member takes as many steps: nobody stops early
    return replace(whole, fit=replace(fit, patience=max(fit.patience, fit.epochs)))


def written(plan: Plan) -> tuple[Sequence[str], Sequence[str] | None]:
    """Which ``--data`` and ``--model`` (None: the study's own) give a plan's data and models."""
    whole = {majority: name for name, majority in MAJORITIES.items()} | {name: name for name in STEPS}
    names = [source.data for source in plan.data]
    short = tuple(dict.fromkeys(whole.get(name.partition(":")[0], name) for name in names))
    return shortest(plan, short, lambda name, models: _pairs(name, plan.folds, Overrides(models=models)))


def _pairs(name: str, folds: int, overrides: Overrides) -> list[Pair]:
    models = None if overrides.models is None else tuple(overrides.models)
    if name not in STEPS:
        known = _set(name)
        silent = known is not None and known.blocks > 1 and "folds" not in split_label(name)[1]
        if folds and silent:
            name += f"{',' if ':' in name else ':'}folds={folds}"
        return [(name, MAJORITY if models is None else models)]
    majority = f"{MAJORITIES[name]}:folds={folds}" if folds else MAJORITIES[name]
    pairs = [(majority, _begun(name, MAJORITY) if models is None else models)]
    for steps in STEPS[name]:
        cells = (*SEQUENCE, CONTROL) if steps == 1 else SEQUENCE
        pairs.append((f"{name}:steps={steps}", _begun(name, cells) if models is None else models))
    return pairs


def _begun(name: str, models: tuple[str, ...]) -> tuple[str, ...]:
    """On the small digits the document's first bias closes all units of a cell with literal connections."""
    if name != "digits":
        return models
    return tuple(label(replace(make("models", text), bias=SMALL_BIAS)) for text in models)


def _check(names: list[str], folds: int) -> None:
    """What would only show in training, or never: folds that are not there, and rows of the same name."""
    said: dict[str, str] = {}
    for name in names:
        known = _set(name)
        if known is None:
            continue
        if known.folds not in (0, folds) or (folds and known.blocks > 1 and not known.folds):
            raise BadSetting(
                f"expected --folds to be {known.folds}, as '{name}' says, but got {folds}: make them equal"
            )
        if known.label in said:
            raise BadSetting(
                f"expected data sets that differ, but '{said[known.label]}' and '{name}' are both "
                f"{known.label}: name one of them"
            )
        said[known.label] = name


def _set(name: str) -> ImageSet | None:
    """The named set of images that is meant, if it is one."""
    kind = ImageSet.narrow(named_sets().get(name.partition(":")[0]))
    return None if kind is None else build(kind, split_label(name)[1])
