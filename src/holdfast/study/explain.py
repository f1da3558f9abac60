"""Explaining new texts with every seed of a finished run."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.core.catalogue import canonical, is_known, make
from holdfast.core.draws import uniform
from holdfast.core.errors import BadRun, BadSetting, Failed
from holdfast.core.records import Batch, Explanation, Member
from holdfast.data.base import Dataset, Kind
from holdfast.data.image.given import names_images
from holdfast.data.modality import modality as data_of
from holdfast.data.reading import shown
from holdfast.data.source import reads
from holdfast.data.store import load_dataset
from holdfast.data.text.dataset import TextDataset
from holdfast.explain.base import exists
from holdfast.study import result as results
from holdfast.study.choice import choose
from holdfast.study.findings import Example, Heat
from holdfast.study.in_run import best_first, in_run
from holdfast.study.modality import modality
from holdfast.study.new_example import NewHold, measure_new, new_heat
from holdfast.study.result import FamilyResult, trained
from holdfast.study.store import Store
from holdfast.train.evaluate import each
from holdfast.train.family import Family
from holdfast.train.job import Job, stack
from holdfast.train.scores import explain
from holdfast.train.untrained import EACH, UNTRAINED, draw_of

UNTRAINED_DRAWS = tuple(draw_of(UNTRAINED[0], draw) for draw in range(EACH))


@dataclass(frozen=True)
class LoadedFamily:
    """A trained family of a run, read back to explain new examples."""

    run: Path
    family: Family
    dataset: Dataset
    job: Job

    @property
    def explainers(self) -> tuple[str, ...]:
        """The run's explainers, the best by its audit first; last those whose code is not loaded."""
        ordered = best_first(self.run, self.job.model, self.job.repair, self.job.explainers)
        return tuple(sorted(ordered, key=lambda one: not is_known("explainers", one)))

    def probabilities(self, batch: Batch) -> Float[Tensor, "M B C"]:
        """Every member's probability of every class."""
        given = self.family.model, self.family.parameters, batch
        return each(*given, lambda one, b: one.rank(b), stacked=True).double().softmax(-1)

    def explain(self, written: str, batch: Batch, target: Int[Tensor, "1"], row: int = 0) -> Explanation:
        """Every member's explanation of one example; ``row`` names the draws of an explainer that has any."""
        explainer, name, family = make("explainers", written), canonical("explainers", written), self.family
        explainer.suits(family.run(0), *family.model.focused(batch, target))
        noise = _noise(explainer, family, batch, row)
        scored = explain(family.model, family.parameters, explainer, batch, target, noise, stacked=True)
        if not bool(scored.scores.isfinite().all()):
            raise Failed(f"{name}: some of its scores are not finite: choose another --explainer")
        scores, mask = (
            scored.scores.flatten(2),
            exists(batch, batch.inputs).expand_as(batch.inputs).flatten(1),
        )
        return Explanation(scores, mask, target, family.members, name, explainer.signed, scored.lost)

    def measure(
        self, written: str, explanation: Explanation, batch: Batch, row: int = 0, own: int | None = None
    ) -> NewHold:
        """The hold of that explanation, against the same impostors as an audit's; ``own`` is the row of the
        test split that the example is, where it is one."""
        held = measure_new(
            explanation,
            modality(self.dataset.task.kind).another,
            lambda: self._others(explanation.method, own),
            lambda: self._untrained.explain(written, batch, explanation.target, row),
            row,
        )
        family = self.job.model, self.job.repair
        return replace(held, in_run=in_run(self.run, *family, explanation.method))

    @cached_property
    def _stored(self) -> FamilyResult:
        """What the run itself explained."""
        members = self.family.members
        Store(self.run).check(str(self.job.request.relative_to(self.run)))
        return results.load(self.job, members, members, self.dataset)

    @cached_property
    def _untrained(self) -> "LoadedFamily":
        """The same architecture, never trained."""
        architecture, task = self.family.architecture, self.family.task
        if architecture.fits:
            raise Failed(f"{self.job.model} is fitted at once: there is nothing before training")
        return replace(self, family=Family.init(architecture, task, UNTRAINED_DRAWS))

    def _others(self, explainer: str, own: int | None) -> Explanation:
        """The run's own explanations, of other inputs than this one."""
        known = self._stored.explanations.get(explainer)
        if known is None:
            raise BadRun(f"the run itself has no explanations by {explainer}")
        kept = self._stored.rows != (-1 if own is None else own)
        return replace(
            known, scores=known.scores[:, kept], mask=known.mask[kept], target=known.target[kept], lost=None
        )


def explain_text(
    run: Path,
    text: str,
    query: str | None = None,
    model: str | None = None,
    repair: str | None = None,
    explainers: tuple[str, ...] | None = None,
) -> Example:
    """Every seed's explanation of a text for the class that the seeds together favour."""
    _check_text(run, text)
    return explain_texts(run, [text], query, model, repair, explainers)[0]


def explain_texts(
    run: Path,
    texts: Sequence[str],
    query: str | None = None,
    model: str | None = None,
    repair: str | None = None,
    explainers: tuple[str, ...] | None = None,
) -> list[Example]:
    """The same of each of these texts; ``query`` is the second text of a pair."""
    check_kind(run, "text")
    loaded = load_family(run, model, repair)
    dataset = TextDataset.narrow(loaded.dataset)
    if (query is not None) != dataset.task.pair:
        raise BadSetting(
            f"the texts of {dataset.name} are pairs: give the {_second(dataset)} with --query"
            if dataset.task.pair
            else f"the texts of {dataset.name} are not pairs: leave --query out"
        )
    if loaded.family.architecture.spells:
        dataset = dataset.with_words([token for text in texts for token in dataset.tokenise(text)])
        loaded = replace(loaded, dataset=dataset, family=replace(loaded.family, task=dataset.task))
    return [_example(loaded, dataset, text, query, explainers) for text in texts]


def _second(dataset: TextDataset) -> str:
    return "question" if dataset.task.cloze else "second text"


def _example(
    loaded: LoadedFamily,
    dataset: TextDataset,
    text: str,
    query: str | None,
    explainers: tuple[str, ...] | None,
) -> Example:
    job = loaded.job
    batch = dataset.read([text], None if query is None else [query])
    probabilities = loaded.probabilities(batch)
    target = probabilities.mean(0).argmax(-1)
    tokens = tuple(dataset.tokenise(text))
    return Example(
        data=dataset.name,
        model=job.model,
        repair=job.repair,
        tokens=tokens,
        label="",
        target=dataset.task.classes[int(target)],
        probabilities=tuple(probabilities[:, 0, int(target)].tolist()),
        seeds=tuple(member.seed for member in loaded.family.members),
        heats=tuple(_heat(loaded, written, batch, target) for written in explainers or loaded.explainers[:1]),
        unknown=dataset.unknown(tokens),
        query="" if query is None else " ".join(dataset.tokenise(query)),
    )


def _heat(loaded: LoadedFamily, written: str, batch: Batch, target: Int[Tensor, "1"]) -> Heat:
    explanation = loaded.explain(written, batch, target)
    return new_heat(explanation, loaded.measure(written, explanation, batch))


def kind_of(run: Path) -> Kind:
    """What a run's models read, told by its plan alone."""
    return reads(Store(run).plan.data[0])


def check_kind(run: Path, kind: Kind) -> None:
    """Refuse a run on data of another modality, and say what it explains."""
    came = kind_of(run)
    if came != kind:
        raise BadSetting(f"{run} is a run on {data_of(came).many}: expected {modality(came).explains}")


def load_family(run: Path, model: str | None, repair: str | None) -> LoadedFamily:
    """The family of a run's first data set and of this model and repair (default: the first)."""
    store = Store(run)
    plan = store.plan
    store.check(store.data(0).name)
    dataset = load_dataset(store.data(0))
    chosen = choose("model", model, plan.models_of(0)), choose("repair", repair, plan.repairs)
    folder = store.family(f"0-{dataset.name}", *chosen)
    plan.check_code(*chosen)
    job = Job(folder, store.data(0), *chosen, plan.fit, plan.explainers)
    kept = trained(run, job, plan.members)
    _check_weights(run, job, kept)
    parameters = stack([job.parameters(member) for member in kept])
    return LoadedFamily(run, Family(job.architecture, dataset.task, kept, parameters), dataset, job)


def _check_weights(run: Path, job: Job, members: tuple[Member, ...]) -> None:
    for path in map(job.path, members):
        if not path.exists():
            raise BadRun(
                f"{run} has lost its weights ({path.relative_to(run)} is missing), so it cannot explain "
                "anything new: copy them here, or run its command again to train them"
            )


def _check_text(run: Path, text: str) -> None:
    check_kind(run, "text")
    if names_images(text) or (Path(text).suffix and os.path.isfile(text)):
        raise BadSetting(
            f"{run} is a run on texts: expected the text itself, in quotes, but got the file {shown(text)}"
        )


def _noise(explainer: Any, family: Family, batch: Batch, row: int) -> Float[Tensor, "M 1 *S D"] | None:
    if not explainer.draws:
        return None
    shape = (*batch.inputs.shape, explainer.draws)
    return torch.stack([uniform(shape, member, "explain", row) for member in family.members])
