"""What the study of calibration and attention trains and explains (Jain ch. 3)."""

from collections.abc import Sequence
from dataclasses import replace

from holdfast.core.catalogue import make
from holdfast.core.settings import label
from holdfast.data.source import Source, reads
from holdfast.studies.base import Pair, shortest
from holdfast.study.needs import Needs
from holdfast.study.overrides import Overrides
from holdfast.study.plan import Plan
from holdfast.train.fit import Fit
from holdfast.train.optimise import Adam

NAME = "calibration"
NEEDS = Needs("interaction", also="text")
# all items, whole histories, 99 others to rank among, as the document has it
WHOLE = "filter=none,length=all,candidates=99"
DOCUMENT = {"ml-1m": f"ml-1m:{WHOLE}", "ml-100k": f"ml-100k:{WHOLE}"}
QUICK_DATA = "planted-plays:users=240,items=105,length=all,candidates=30"
TWO, SIGMOID, THREE = "deepicf:head=two", "deepicf", "deepicf:head=three"
RATED = ("ml-100k",)
# the quoted NeuMF has 16 factors: a product of 16, and a tower of 64-32-16 (He et al. 2017, Table 2)
NEUMF = "neumf:dim=16,layers=32+16"
FACTORS = ("gmf:dim=8", "ncf", NEUMF)
MODELS = (TWO, SIGMOID, "fism", *FACTORS)
QUICK_MODELS = (TWO, "gmf:dim=8")
TEXT_MODELS = ("cnn", "bilstm")
BALANCED, PRETRAINED, EVEN, FROZEN = "class_balanced", "pretrained", "even_attention", "frozen_attention"
REPAIRS = ("none", BALANCED, PRETRAINED, EVEN, FROZEN)
QUICK_REPAIRS = ("none", BALANCED)
EXPLAINERS = ("attention", "gradient", "random")
COMPARISONS = ("jensen_shannon", "jaccard:fraction=0.1", "jaccard:k=5")
INSTANCES, QUICK_INSTANCES = 1000, 60
KEPT = 10  # seeds whose weights are kept after every epoch, for the best one on the test items
# the authors' code: Adagrad at 0.01, one user a step, at HR@10 62 after five epochs; this is at 73 on the
# validation item after four
FIT = Fit(epochs=4, batch=32, optimiser=Adam(lr=3e-3, weight_decay=0.0), snapshots=KEPT)
SMALLER = replace(FIT, epochs=20)  # whose epochs have fewer steps: four leave ml-100k far from its best
TEXTS = Fit()  # as audits train them
QUICK = Fit(epochs=12, batch=16, patience=12, optimiser=Adam(lr=1e-2, weight_decay=0.0), snapshots=KEPT)


def plan(overrides: Overrides) -> Plan:
    """DeepICF with every repair and the recommenders it is held against; on texts, classifiers with
    attention. ``quick`` is two of each on planted-plays."""
    quick = overrides.quick
    names = (QUICK_DATA,) if quick else tuple(overrides.data or DOCUMENT)[: None if overrides.data else 1]
    pairs = [pair for name in names for pair in _pairs(name, overrides)]
    repairs = tuple(overrides.repairs or (QUICK_REPAIRS if quick else REPAIRS))
    models = tuple(dict.fromkeys(model for _, some in pairs for model in some))
    texts = overrides.max_length is not None
    return Plan(
        data=tuple(_source(source, overrides, texts) for source, _ in pairs),
        models=models,
        per_data=tuple(some for _, some in pairs),
        repairs=repairs,
        without=tuple(
            f"{model} with {repair}" for model in models for repair in repairs if _odd(model, repair)
        ),
        seeds=overrides.seeds if overrides.seeds is not None else 3 if quick else 10,
        explainers=_explainers(models),
        comparisons=COMPARISONS,
        fit=overrides.fit(QUICK if quick else _fit(names[0])),
        instances=(QUICK_INSTANCES if quick else INSTANCES)
        if overrides.instances == "default"
        else overrides.instances,
        target="truth",
        device=overrides.device,
        study=NAME,
    )


def written(plan: Plan) -> tuple[Sequence[str], Sequence[str] | None]:
    """Which ``--data`` and ``--model`` (None: the study's own) give a plan's data and models."""
    whole = {long: name for name, long in DOCUMENT.items()}
    short = tuple(whole.get(source.data, source.data) for source in plan.data)
    return shortest(plan, short, lambda name, models: _pairs(name, Overrides(models=models)))


def _pairs(name: str, overrides: Overrides) -> list[Pair]:
    """The data as they are read, with the models that are trained on them."""
    data = DOCUMENT.get(name, name)
    if overrides.models is not None:
        return [(data, _labels(overrides.models))]
    if name == QUICK_DATA:
        return [(data, _labels(QUICK_MODELS))]
    if reads(Source(data)) == NEEDS.also:
        return [(data, _labels(TEXT_MODELS))]
    return [(data, _labels(MODELS + ((THREE,) if name in RATED else ())))]


def _fit(name: str) -> Fit:
    """How models of this data set are trained, and others beside it: a plan has one way."""
    data = DOCUMENT.get(name, name)
    if reads(Source(data)) == NEEDS.also:
        return TEXTS
    return FIT if data == DOCUMENT["ml-1m"] else SMALLER


def _explainers(models: Sequence[str]) -> tuple[str, ...]:
    """Attention first where the first model that is explained attends, not at all where none does."""
    attends = [made.attends for made in (make("models", model) for model in models) if made.explains]
    if not any(attends) and attends:
        return tuple(name for name in EXPLAINERS if name != "attention")
    return EXPLAINERS if not attends or attends[0] else ("gradient", "attention", "random")


def _odd(model: str, repair: str) -> bool:
    """What says nothing: controls of what has no attention, pre-training of what nothing was trained for, and
    a balanced loss of all but the document's model."""
    made = make("models", model)
    if repair in (EVEN, FROZEN):
        return not made.attends or model not in (TWO, *TEXT_MODELS)
    if repair == PRETRAINED:
        return model not in (TWO, SIGMOID, NEUMF)
    return repair == BALANCED and model not in (TWO, *TEXT_MODELS)


def _source(data: str, overrides: Overrides, texts: bool) -> Source:
    if reads(Source(data)) != NEEDS.also:
        return Source(data)
    length = Source().max_length if overrides.max_length is None else overrides.max_length
    return Source(data, vectors=overrides.vectors(data), max_length=length)


def _labels(models: Sequence[str]) -> tuple[str, ...]:
    """One spelling each."""
    return tuple(label(make("models", text)) for text in models)
