"""Explaining a new text with every seed of a finished run."""

from pathlib import Path
from typing import Any

import torch

from holdfast.core.catalogue import make
from holdfast.core.draws import uniform
from holdfast.core.errors import BadSetting, UnknownName
from holdfast.core.records import Batch, Explanation
from holdfast.core.settings import label
from holdfast.data.store import load_dataset
from holdfast.data.text import TextDataset
from holdfast.data.vocabulary import tokenise
from holdfast.measure.verdict import scale_of
from holdfast.study.cell import trained
from holdfast.study.examples import heat
from holdfast.study.findings import Example
from holdfast.study.store import Store
from holdfast.train.evaluate import each
from holdfast.train.family import Family
from holdfast.train.job import Job, stack
from holdfast.train.scores import explain


def explain_text(
    run: Path,
    text: str,
    query: str | None = None,
    model: str | None = None,
    repair: str | None = None,
    explainers: tuple[str, ...] | None = None,
) -> Example:
    """Every seed's explanation of a text for the class that the seeds together favour."""
    family, dataset, job = open_family(run, model, repair)
    if (query is not None) != dataset.task.pair:
        raise BadSetting(
            f"the texts of {dataset.name} are pairs: give the second text with --query"
            if dataset.task.pair
            else f"the texts of {dataset.name} are no pairs: leave --query out"
        )
    batch = dataset.read([text], None if query is None else [query])
    logits = each(family.model, family.parameters, batch, lambda one, b: one(b).logits, stacked=True)
    probabilities = logits.double().softmax(-1)
    target = probabilities.mean(0).argmax(-1)
    heats = []
    for written in explainers or job.explainers[:1]:
        explainer = make("explainers", written)
        noise = _noise(explainer, family, batch)
        found = explain(family.model, family.parameters, explainer, batch, target, noise, stacked=True)
        explanation = Explanation(
            found, batch.mask, target, family.members, label(explainer), explainer.signed
        )
        heats.append(heat(explanation, scale_of(explanation), 0))
    name = dataset.task.classes[int(target)]
    return Example(
        data=dataset.name,
        model=job.model,
        repair=job.repair,
        tokens=tuple(tokenise(text, dataset.max_length)),
        label="",
        target=name,
        probabilities=tuple(probabilities[:, 0, int(target)].tolist()),
        seeds=tuple(member.seed for member in family.members),
        heats=tuple(heats),
    )


def open_family(run: Path, model: str | None, repair: str | None) -> tuple[Family, TextDataset, Job]:
    """A run's family, ready to be asked."""
    store = Store(run)
    plan = store.plan
    store.check(store.data(0).name)
    dataset = load_dataset(store.data(0))
    if not isinstance(dataset, TextDataset):
        raise BadSetting(f"{run} is a run on images, which cannot be typed: its report shows their heat maps")
    chosen = _choose("model", model, plan.models), _choose("repair", repair, plan.repairs)
    folder = store.cell(f"0-{dataset.name}", *chosen)
    job = Job(folder, store.data(0), *chosen, plan.fit, plan.explainers)
    kept = trained(run, job, plan.members)
    parameters = stack([job.parameters(member) for member in kept])
    return Family(job.architecture, dataset.task, kept, parameters), dataset, job


def _choose(kind: str, asked: str | None, known: tuple[str, ...]) -> str:
    if asked is None:
        return known[0]
    written = label(make(f"{kind}s", asked))
    if written not in known:
        raise UnknownName(f"{kind} of this run", written, known)
    return written


def _noise(explainer: Any, family: Family, batch: Batch) -> torch.Tensor | None:
    if not explainer.draws:
        return None
    shape = (*batch.mask.shape, explainer.draws)
    return torch.stack([uniform(shape, member, "explain", 0) for member in family.members])
