"""One question, one plan: the command line, Python and the page build theirs here."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict

from holdfast.commands.checkpoints import perturbations_of
from holdfast.core.admit import admit
from holdfast.core.catalogue import make
from holdfast.core.errors import BadData, BadSetting
from holdfast.core.plain import short
from holdfast.core.settings import split_list
from holdfast.data.interaction.filters import How
from holdfast.data.interaction.held_out import HeldOutItem, Length
from holdfast.data.interaction.repeats import Repeats
from holdfast.data.source import Source, modality_of
from holdfast.data.text.vectors import locate
from holdfast.studies.base import Study
from holdfast.study.command import is_planted
from holdfast.study.needs import check_explains
from holdfast.study.overrides import Overrides
from holdfast.study.plan import Plan, defaults_for, infer_modality
from holdfast.train.device import at_hand

AUDIT, AUTO, NONE, GLOVE = "audit", "auto", "none", "glove-100d"
Folder = Path | str | None
Names = str | Sequence[str] | None
Methods = Any | Sequence[Any] | None  # written forms or objects


class Training(TypedDict, total=False):
    """Settings of the training, each by itself; the others are as the data or the study have them."""

    epochs: int | None
    batch: int | None
    patience: int | None
    optimiser: str | None
    decay_embeddings: bool


class Reading(TypedDict, total=False):
    """What is said of the data, each by itself, as :class:`Source` has it."""

    text: str | None
    label: str | None
    features: str | None
    resample: bool | None
    query: str | None
    entities: str | None
    max_length: int
    min_count: int
    max_words: int | None
    limit: int | None
    steps: int | None
    user: str | None
    item: str | None
    time: str | None
    rating: str | None
    filter: How | None
    least: int | None
    length: Length | None
    samples: int | None
    holdout: HeldOutItem | None
    repeats: Repeats | None
    strict: bool
    ids: str | None
    mask: str | None
    tokens: str | None
    classes: Sequence[str] | None


class Settings(Training, Reading, total=False):
    """What may be said of an audit's data and of its training."""


def build_plan(study: str, overrides: Overrides, vectors: str | None = AUTO, data_dir: Folder = None) -> Plan:
    """The plan of an audit or of a study. What is left open is as the data, or the study, have it; the device
    and the word vectors that ``auto`` means are those of this machine."""
    folder = None if data_dir is None else Path(data_dir)
    resolved = replace(
        overrides,
        device=device_of(overrides.device),
        vectors=lambda name: vectors_of(vectors, Source(name), folder),
    )
    return _audit(resolved, vectors, folder) if study == AUDIT else study_of(study).plan(resolved)


def study_of(name: str) -> Study:
    """The study of that name."""
    return make("studies", name)  # type: ignore[no-any-return]


def several(names: Names) -> tuple[str, ...] | None:
    """Names that were written in one text, or given one by one.

    >>> several("none,aswa"), several(["none", "aswa"])
    (('none', 'aswa'), ('none', 'aswa'))
    """
    if names is None:
        return None
    return split_list(names) if isinstance(names, str) else tuple(names)


def methods(kind: str, given: Methods) -> tuple[str, ...] | None:
    """The written forms of methods that were named in one text or several, or given as objects; code outside
    the package that they name is loaded.

    >>> methods("repairs", "none,aswa"), methods("repairs", ["none", "swa:start=0,factor=2,aswa"])
    (('none', 'aswa'), ('none', 'swa:start=0.0,factor=2.0', 'aswa'))
    """
    if given is None:
        return None
    each = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    parts = [part for one in each for part in (split_list(one) if isinstance(one, str) else [one])]
    return tuple(admit(kind, part) for part in parts)


def vectors_of(vectors: str | None, source: Source, data_dir: Path | None) -> str | None:
    """``auto`` takes glove-100d where it lies, for all texts but planted ones, whose words are few."""
    if vectors != AUTO:
        return None if vectors == NONE else vectors
    if is_planted(source.data) or "vectors" not in modality_of(source).reads:
        return None
    try:
        locate(GLOVE, data_dir)
    except BadData:
        return None
    return GLOVE


def device_of(device: str) -> str:
    """``auto`` is the GPU where there is one. A plan may name one that is not here: of a run that is trained
    the rest is done without it."""
    if device not in (AUTO, "cpu", "cuda"):
        raise BadSetting(f"expected --device to be auto, cpu or cuda, but got '{short(device)}'")
    return at_hand("cuda") if device == AUTO else device


def seeds_of(seeds: int | None, models: Sequence[str]) -> int:
    """As many as were asked for; by default 10, or where members come from files, as many as there are.

    >>> seeds_of(None, ("cnn",)), seeds_of(3, ("cnn",))
    (10, 3)
    """
    counts = [len(files) for model in models if (files := make("models", model).files)]
    if seeds is None:
        return min(counts, default=10)
    if seeds > min(counts, default=seeds):
        raise BadSetting(f"expected --seeds to be at most {min(counts)}, as many as there are checkpoints")
    return seeds


def _audit(overrides: Overrides, vectors: str | None, data_dir: Path | None) -> Plan:
    models = None if overrides.models is None else tuple(overrides.models)
    source = infer_modality(overrides.source or Source(), models)
    defaults = defaults_for(source, models)
    made = [make("models", model) for model in defaults.models]
    if vectors == AUTO and not any(one.pretrained and not one.spells for one in made):
        vectors = NONE
    source = replace(source, vectors=vectors_of(source.vectors or vectors, source, data_dir))
    check_explains(defaults.models)
    seeds = seeds_of(overrides.seeds, defaults.models)
    return Plan(
        data=(source,),
        models=defaults.models,
        repairs=(NONE,) if overrides.repairs is None else tuple(overrides.repairs),
        seeds=seeds,
        explainers=defaults.explainers if overrides.explainers is None else tuple(overrides.explainers),
        comparisons=defaults.comparisons if overrides.comparisons is None else tuple(overrides.comparisons),
        probes=() if overrides.probes is None else tuple(overrides.probes),
        perturbations=perturbations_of(overrides.perturbations, seeds),
        fit=overrides.fit(defaults.fit),
        instances=200 if overrides.instances == "default" else overrides.instances,
        device=overrides.device,
    )
