"""A plan: everything that decides what a study finds, as plain values with a hash."""

import json
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from holdfast import __version__
from holdfast.core.catalogue import canonical, is_known, make
from holdfast.core.errors import BadRun, BadSetting
from holdfast.core.files import sha256
from holdfast.core.outside import loaded_in
from holdfast.core.records import Member
from holdfast.core.settings import MOST, at_most, mentions
from holdfast.data.named_sets import file_name, is_named
from holdfast.data.source import Source, identity, reads, taken_for
from holdfast.models.base import Architecture
from holdfast.study.modality import Defaults, modality
from holdfast.train.fit import Fit
from holdfast.train.job import fit_from_json, fit_to_json

SCHEMA = 5
GROWS = ("seeds", "explainers", "instances", "perturbations")  # by these a run grows
EXPLAINERS = ("attention", "gradient", "gradient_input", "integrated_gradients", "leave_one_out", "random")
COMPARISONS = ("jensen_shannon", "kl", "jaccard", "spearman", "kendall", "topk_overlap")
METHODS = ("models", "repairs", "explainers", "comparisons", "probes", "perturbations")
OPTIONAL = ("probes", "perturbations")
NAME_IT = "name it as it was then, with --model or --repair"
RECIPE = "recipe"
OF_MAPS = ("attention_last", "rollout", "signed_attention")


def defaults_for(source: Source, models: tuple[str, ...] | None = None) -> Defaults:
    """What an audit of a data set does by default, with these models.

    Where a model has no attention, attention-based explainers are dropped; for text, lrp takes their place. A
    model may bring defaults of its own.

    >>> defaults_for(Source("planted"), ("rlstm",)).explainers[0]
    'lrp'
    """
    audited = modality(reads(source))
    defaults = audited.defaults if models is None else audited.defaults_of(models)
    made: list[Architecture] = [make("models", model) for model in defaults.models]
    if (
        len(optimisers := {one.optimiser for one in made}) == 1
        and (optimiser := optimisers.pop()) is not None
    ):
        slow = replace(defaults.fit, optimiser=make("optimisers", optimiser))
        defaults = defaults._replace(fit=slow)
    for one in made:
        if one.explainers:
            return defaults._replace(explainers=one.explainers)
    if all(one.attends for one in made):
        return defaults
    instead = {"attention": ("lrp",)} | dict.fromkeys(OF_MAPS, ())
    kept = tuple(name for one in defaults.explainers for name in instead.get(one, (one,)))
    return defaults._replace(explainers=kept)


def infer_modality(source: Source, models: tuple[str, ...] | None) -> Source:
    """The source as these models read it: for recommenders a table whose columns nobody named holds
    interactions, and its columns are known by their names. Models that spell have a number for every word.

    >>> infer_modality(Source("plays.csv"), ("sasrec",)).filter
    'once'
    """
    architectures = [make("models", model) for model in models or ()]
    kinds = {kind for one in architectures for kind in one.reads}
    known = taken_for(source, kinds.pop()) if len(kinds) == 1 else source
    if architectures and all(one.files for one in architectures):
        named = all(one.labelled for one in architectures) and not is_named(known.data)
        classes = () if named and known.classes is None else known.classes
        known = replace(known, whole=True, every_word=True, classes=classes)
    return replace(known, every_word=True) if any(one.spells for one in architectures) else known


@dataclass(frozen=True)
class Plan:
    """Data × models × repairs × seeds, what explains them, how that is compared, probed and perturbed.

    ``digests`` are the SHA-256 of the data, so that another file is another plan; ``instances`` bounds how
    many test examples are explained (None: all), for the class ``target``: the one that the members together
    favour, or the true one. ``folds`` adds members that train on all but one fold of the data; ``per_data``
    names the models of each data set where they are not the same, ``without`` families that are not trained,
    as "model with repair". ``device`` names the plan that trains:
    ``cpu`` (worker processes, one thread each) or ``cuda`` (stacked members, CUDA graphs). ``outside`` has
    the methods that are not of the package, each with the SHA-256 of its code: reading a plan loads none.
    """

    data: tuple[Source, ...]
    models: tuple[str, ...] = ("cnn",)
    repairs: tuple[str, ...] = ("none",)
    seeds: int = 10
    explainers: tuple[str, ...] = EXPLAINERS
    comparisons: tuple[str, ...] = COMPARISONS
    probes: tuple[str, ...] = ()
    perturbations: tuple[str, ...] = ()
    fit: Fit = field(default_factory=Fit)
    instances: int | None = 200
    target: Literal["consensus", "truth"] = "consensus"
    folds: int = 0
    per_data: tuple[tuple[str, ...], ...] = ()
    without: tuple[str, ...] = ()
    device: str = "cpu"
    digests: tuple[str, ...] = ()
    outside: tuple[tuple[str, str], ...] = ()
    study: str = "audit"
    version: str = __version__
    schema: int = SCHEMA

    def __post_init__(self) -> None:
        if self.folds == 1 or self.folds < 0:
            raise BadSetting(f"expected --folds to be 0 or at least 2, but got {self.folds}")
        if self.instances is not None and self.instances < 1:
            raise BadSetting(f"expected --instances to be 1 or more, but got {self.instances}")
        for name, most in (("seeds", 10_000), ("folds", 1000), ("instances", MOST)):
            at_most(f"expected --{name}", getattr(self, name), most)
        if not self.data:
            raise BadSetting("expected at least one data set, but got none")
        if self.per_data and len(self.per_data) != len(self.data):
            raise BadSetting(f"expected models for {len(self.data)} data sets, but got {len(self.per_data)}")
        for name in METHODS:
            # written forms are read and written again: one spelling, one plan, and mistakes show early
            object.__setattr__(self, name, self._written(name, getattr(self, name)))
        per_data = tuple(self._written("models", models) for models in self.per_data)
        object.__setattr__(self, "per_data", per_data)
        object.__setattr__(self, "outside", self._code())
        if self.seeds < (1 if all(map(self._alone, self.models)) else 2):
            raise BadSetting(f"expected --seeds to be 2 or more, but got {self.seeds}: stability needs two")

    def _alone(self, model: str) -> bool:
        """Whether all there is of a model is one member, brought along in a file; of code that is not loaded
        nobody knows."""
        return not is_known("models", model) or len(make("models", model).files) == 1

    def _written(self, kind: str, texts: tuple[str, ...]) -> tuple[str, ...]:
        written = tuple(text if self._is_outside(text) else canonical(kind, text) for text in texts)
        one = kind.removesuffix("s")
        if not written and kind not in OPTIONAL:
            raise BadSetting(f"expected at least one {one}, but got none")
        if len(set(written)) < len(written):
            raise BadSetting(f"expected each {one} once, but got {', '.join(written)}")
        return written

    def _is_outside(self, text: str) -> bool:
        return any(mentions(text, name) for name, _ in self.outside)

    def _code(self) -> tuple[tuple[str, str], ...]:
        """Every method outside the package that the plan mentions, with the SHA-256 of its code."""
        labels = [text for name in METHODS for text in getattr(self, name)]
        labels += [text for models in self.per_data for text in models]
        known = {part.name: part.sha256 for part in loaded_in(labels)} | dict(self.outside)
        return tuple(sorted((n, c) for n, c in known.items() if any(mentions(text, n) for text in labels)))

    def check_code(self, *labels: str) -> None:
        """Refuse methods outside the package whose code is not loaded, or not as it was."""
        here = {part.name: part.sha256 for part in loaded_in(labels)}
        for name, code in self.outside:
            if any(mentions(text, name) for text in labels) and here.get(name) != code:
                said = "has changed since the run" if name in here else "is needed for this"
                raise BadRun(f"the code of {name}, which is not part of holdfast, {said}: {NAME_IT}")

    @property
    def members(self) -> tuple[Member, ...]:
        """Seeds 0 … n − 1, then the folds."""
        seeds = tuple(Member(seed) for seed in range(self.seeds))
        return seeds + tuple(Member(fold, fold) for fold in range(self.folds))

    def models_of(self, number: int) -> tuple[str, ...]:
        """The models that are trained on one of the data sets."""
        return self.per_data[number] if self.per_data else self.models

    def repairs_of(self, model: str) -> tuple[str, ...]:
        """The repairs that a model is trained with."""
        return tuple(one for one in self.repairs if f"{model} with {one}" not in self.without)

    @property
    def identity(self) -> dict[str, Any]:
        """What identifies a run, in plain values: the plan without what it can grow by."""
        kept = {name: value for name, value in self.to_json().items() if name not in GROWS}
        labels = [text for name in METHODS if name not in GROWS for text in getattr(self, name)]
        labels += [text for models in self.per_data for text in models]
        code = {n: c for n, c in self.outside if any(mentions(text, n) for text in labels)}
        return kept | {"outside": code}

    @property
    def hash(self) -> str:
        """SHA-256 of what identifies a run."""
        return sha256(json.dumps(self.identity, sort_keys=True).encode())

    @property
    def name(self) -> str:
        """A folder's name: data, model and the first eight of the hash."""
        data = "-".join(_slug(source.data) for source in self.data)
        models = "-".join(_slug(model) for model in self.models)
        return f"{f'{data}-{models}'[:100]}-{self.hash[:8]}"

    @property
    def portable(self) -> "Plan":
        """The plan as a run holds it, files by their names alone: a run can be moved."""
        return replace(self, data=tuple(map(_by_name, self.data)))

    def to_json(self) -> dict[str, Any]:
        """Plain values, files by their names."""
        return (
            {f.name: getattr(self, f.name) for f in fields(self)}
            | {
                "data": [identity(source) for source in self.portable.data],
                "per_data": [list(models) for models in self.per_data],
                "fit": fit_to_json(self.fit),
            }
            | {f.name: list(v) for f in fields(self) if _is_names(v := getattr(self, f.name))}
            | {"outside": dict(self.outside)}
        )

    @classmethod
    def from_json(cls, values: Any) -> "Plan":
        """Back from :meth:`to_json`; a plan of another schema is a :class:`BadRun`."""
        schema, study = (values.get(k) if isinstance(values, dict) else None for k in ("schema", "study"))
        if study == RECIPE:
            raise BadRun("the run is of a recipe: this needs a run of models that holdfast trains")
        if schema != SCHEMA:
            raise BadRun(
                f"the run was made by another version of holdfast (schema {schema}, expected {SCHEMA}): "
                "use that version, or start over with --fresh"
            )
        try:
            settings: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in values.items()}
            settings |= {"data": tuple(Source(**source) for source in values["data"])}
            settings |= {"per_data": tuple(tuple(models) for models in values["per_data"])}
            settings |= {"outside": tuple((str(n), str(c)) for n, c in values["outside"].items())}
            return cls(**(settings | {"fit": fit_from_json(values["fit"])}))
        except (TypeError, KeyError, AttributeError) as error:
            raise BadRun(f"plan.json is not a plan ({error}): start over with --fresh") from error


def _by_name(source: Source) -> Source:
    places = {f.name: getattr(source, f.name) for f in fields(source) if f.name in ("data", "vectors")}
    names: dict[str, Any] = {name: file_name(place) for name, place in places.items() if place is not None}
    return replace(source, **names)


def _is_names(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(item, str) for item in value)


def _slug(text: str) -> str:
    stem = text.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] if "." in text else text
    kept = "".join(c if c.isalnum() or c in "._" else "-" for c in stem)
    return kept.strip("-.")[:40] or "data"
