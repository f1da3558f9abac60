"""Perturbed examples of a study: made once for all members, explained as the others are, and measured."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import torch
from jaxtyping import Bool
from torch import Tensor

from holdfast.core.outside import loaded_in
from holdfast.data.base import Dataset, Split
from holdfast.data.perturb.split import PerturbedSplit
from holdfast.measure.survival import Survival, restricted, survival_of
from holdfast.study.changed import Changed
from holdfast.study.modality import modality
from holdfast.study.plan import Plan
from holdfast.study.result import FamilyResult, family_of, scores_of
from holdfast.study.store import Store
from holdfast.train.evaluate import logits
from holdfast.train.explaining import perturbed
from holdfast.train.family import template
from holdfast.train.job import Job
from holdfast.train.request import Request
from holdfast.train.seats import explained_rows


def changed_jobs(job: Job, plan: Plan) -> list[Job]:
    """The jobs that explain the same rows perturbed, one for each perturbation."""
    return [replace(job, change=text) for text in plan.perturbations]


def perturb(plan: Plan, store: Store, number: int, dataset: Dataset, data_dir: Path | None) -> None:
    """Perturb the rows of a data set that are explained, and write them where every process finds them;
    a perturbation that cannot be is refused before anything is trained."""
    split = dataset.splits["test"]
    rows = explained_rows(len(split), plan.instances)
    for text in plan.perturbations:
        path = Job(store.folder, store.data(number), "", "", plan.fit, change=text).changed_data
        there = store.sound(path.name) and not loaded_in([text])
        if there and torch.equal(PerturbedSplit.read(path, split).rows, rows):
            continue
        made = PerturbedSplit.of(text, dataset, split, rows, data_dir)
        store.enter({path.name: made.write(path)})


def check_changes(plan: Plan, datasets: Sequence[Dataset], data_dir: Path | None) -> None:
    """Refuse a perturbation that cannot be made of the rows that are explained; nothing is kept."""
    for dataset in datasets:
        split = dataset.splits["test"]
        rows = explained_rows(len(split), plan.instances)
        for text in plan.perturbations:
            PerturbedSplit.of(text, dataset, split, rows, data_dir)


def with_changes(family: FamilyResult, plan: Plan) -> FamilyResult:
    """The family with what its members say of the perturbed rows; an explainer that failed there is named."""
    changed, failed = dict[str, Changed](), dict(family.failed)
    request = Request(family.rows, family.target)
    for job in changed_jobs(family.job, plan):
        split = perturbed(job, family.dataset)
        width, found = split.scored(family.rows).shape[-1], dict[str, Tensor]()
        for name in family.explanations:
            if name != "random":
                scores, why = scores_of(job, family.members, name, request, width)
                if scores is None:
                    failed[f"{name} under {job.change}"] = why
                else:
                    found[name] = scores.scores
        changed[job.change] = Changed(split, found)
    return replace(family, changed=changed, failed=failed)


def survivals_of(family: FamilyResult) -> dict[str, list[Survival]]:
    """How every explainer survives each perturbation."""
    found = dict[str, list[Survival]]()
    for text, changed in family.changed.items():
        flipped = flips(family, changed.split)
        for name, survival in _survivals(family, text, changed, flipped):
            found.setdefault(name, []).append(survival)
    return found


def flips(family: FamilyResult, split: Split) -> Bool[Tensor, "M K"]:
    """Where a member predicts something else for a perturbed row."""
    model, trained = template(family.job.architecture, family.dataset.task), family_of(family)
    before, after = (
        logits(model, trained.parameters, one, family.rows, stacked=True).argmax(-1)
        for one in (family.dataset.splits["test"], split)
    )
    return (before != after).cpu()


def _survivals(
    family: FamilyResult, text: str, changed: Changed, flipped: Bool[Tensor, "M K"]
) -> Iterator[tuple[str, Survival]]:
    another, touched = modality(family.dataset.task.kind).another, changed.split.touched
    for name, scores in changed.scores.items():
        laid, common = changed.split.laid_over(scores)
        both = restricted(family.explanations[name].to(family.device), laid, common)
        yield name, survival_of(text, both, touched, another, family.rows, flipped)
