"""What the study of relevance through time trains and explains (Chormai ch. 4)."""

from dataclasses import replace

from holdfast.data.sources import TextSource
from holdfast.study.asked import Asked
from holdfast.study.plan import Plan
from holdfast.train.fit import Fit
from holdfast.train.optimise import Adam

NAME = "relevance"
ABOUT = "Chormai ch. 4: which recurrent cells can be explained, and by which rules?"
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
# the document trains 100 epochs with rates from 1e-4 to 5e-4; validation accuracy levels off long before
FIT = Fit(epochs=20, batch=50, patience=20, optimiser=Adam(lr=5e-4, weight_decay=0.0))
QUICK = Fit(epochs=15, batch=25, patience=15, optimiser=Adam(lr=3e-3, weight_decay=0.0))


def plan(asked: Asked) -> Plan:
    """Sequence task and majority task of each data set; ``quick`` is the same on the embedded digits.

    A data set that is none of the study's own (``digits-maj:steps=6``) is taken as it is written, with the
    models that were asked for.
    """
    quick = asked.quick
    names = ("digits",) if quick else asked.data or DATA
    folds = asked.folds if asked.folds is not None else 2 if quick else 7
    cells = [pair for name in names for pair in _cells(name, folds, asked)]
    fit = asked.fit(QUICK if quick else FIT)
    whole = Plan(
        data=tuple(TextSource(source) for source, _ in cells),
        models=tuple(dict.fromkeys(model for _, models in cells for model in models)),
        per_data=tuple(models for _, models in cells),
        repairs=tuple(asked.repairs or ("none",)),
        seeds=asked.seeds if asked.seeds is not None else 2 if quick else 5,
        folds=folds,
        explainers=EXPLAINERS,
        comparisons=COMPARISONS,
        fit=fit,
        instances=(40 if quick else 200) if asked.instances == "own" else asked.instances,
        target="truth",
        device=asked.device,
        study=NAME,
    )
    # every member takes as many steps: nobody stops early
    return replace(whole, fit=replace(fit, patience=max(fit.patience, fit.epochs)))


def _cells(name: str, folds: int, asked: Asked) -> list[tuple[str, tuple[str, ...]]]:
    models = tuple(asked.models) if asked.models else None
    if name not in STEPS:
        return [(name, models or MAJORITY)]
    majority = f"{MAJORITIES[name]}:folds={folds}" if folds else MAJORITIES[name]
    found = [(majority, models or MAJORITY)]
    for steps in STEPS[name]:
        own = (*SEQUENCE, CONTROL) if steps == 1 else SEQUENCE
        found.append((f"{name}:steps={steps}", models or own))
    return found
