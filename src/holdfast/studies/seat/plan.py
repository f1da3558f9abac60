"""What the study of stable attention trains, explains and perturbs (SEAT)."""

from collections.abc import Sequence

from holdfast.core.catalogue import make
from holdfast.core.settings import label
from holdfast.data.source import Source
from holdfast.measure.embedding_noise import EmbeddingNoise
from holdfast.study.needs import Needs
from holdfast.study.overrides import Overrides
from holdfast.study.plan import Plan
from holdfast.train.fit import Fit
from holdfast.train.optimise import Adam

NAME = "seat"
NEEDS = Needs("text", attends=True)
DATA = ("sst2",)
QUICK_DATA = ("planted:train=1000,validation=150,test=120",)
MODELS, QUICK_MODELS = ("rnn", "bilstm"), ("rnn",)
NONE, SEAT, ASWA, BOTH = "none", "seat", "aswa", "seat+aswa"
PRINTED, SHARED = "seat:detached=false", "seat:teacher=shared"
NO_STABILITY, NO_TOPK = "seat:lambda1=0.0", "seat:lambda2=0.0"
RIVALS = ("word_at", "word_iat", "attention_rp", "attention_at", "attention_iat")
STRENGTHS, QUICK_STRENGTHS = (0.3, 1.0, 3.0), (0.3, 1.0)
OURS = (ASWA, "naswa", BOTH)
EXPLAINERS, QUICK_EXPLAINERS = ("attention", "gradient", "random"), ("attention", "random")
COMPARISONS = ("jensen_shannon", "tvd")
INSTANCES, QUICK_INSTANCES = 500, 60
NEIGHBOUR, DROPPED = "neighbours", "dropped"
# Table 1's radius, in the norm and the way that give the published sums of the vanilla models; then others
TABLE_1 = EmbeddingNoise(1e-3, "linf", "worst")
TABLE_4 = EmbeddingNoise(1e-2, "linf", "worst")
NOISES = (TABLE_1, EmbeddingNoise(1e-3, "linf", "random"), EmbeddingNoise(1e-3, "l2", "worst"), TABLE_4)
FIT = Fit()
QUICK = Fit(epochs=6, batch=32, optimiser=Adam(lr=2e-3))


def plan(overrides: Overrides) -> Plan:
    """The vanilla model, SEAT and its variants, its rivals at each strength, and repairs that average; the
    word perturbation is the document's where words have vectors, else words are left out."""
    quick = overrides.quick
    names = QUICK_DATA if quick else tuple(overrides.data or DATA)
    sources = tuple(_source(name, overrides) for name in names)
    fit = overrides.fit(QUICK if quick else FIT)
    return Plan(
        data=sources,
        models=_labels("models", overrides.models or (QUICK_MODELS if quick else MODELS)),
        repairs=_labels("repairs", overrides.repairs or repairs(quick)),
        seeds=overrides.seeds if overrides.seeds is not None else 3 if quick else 10,
        explainers=QUICK_EXPLAINERS if quick else EXPLAINERS,
        comparisons=COMPARISONS,
        perturbations=(NEIGHBOUR if all(source.vectors for source in sources) else DROPPED,),
        fit=fit,
        instances=(QUICK_INSTANCES if quick else INSTANCES)
        if overrides.instances == "default"
        else overrides.instances,
        device=overrides.device,
        study=NAME,
    )


def repairs(quick: bool = False) -> tuple[str, ...]:
    """All, in the order of the tables: rivals at each strength between the vanilla model and SEAT."""
    strengths = QUICK_STRENGTHS if quick else STRENGTHS
    rivals = [f"{name}:strength={strength}" for name in RIVALS for strength in strengths]
    variants = (NO_STABILITY, NO_TOPK) if quick else (NO_STABILITY, NO_TOPK, PRINTED, SHARED)
    return NONE, *rivals, SEAT, *variants, *((ASWA, BOTH) if quick else OURS)


def _source(name: str, overrides: Overrides) -> Source:
    length = Source().max_length if overrides.max_length is None else overrides.max_length
    return Source(name, vectors=overrides.vectors(name), max_length=length)


def _labels(kind: str, texts: Sequence[str]) -> tuple[str, ...]:
    """One spelling each."""
    return tuple(dict.fromkeys(label(make(kind, text)) for text in texts))
