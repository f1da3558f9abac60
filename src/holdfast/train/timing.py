"""How long a member takes to train and to explain, timed on a little of each."""

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import islice

import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import WRONG, HoldfastError
from holdfast.core.records import Member
from holdfast.data.base import Dataset
from holdfast.models.base import Model
from holdfast.train.family import initial, one_thread, template
from holdfast.train.job import Job, stack
from holdfast.train.loop import Loop
from holdfast.train.repair import Tensors
from holdfast.train.schedule import steps_in
from holdfast.train.scores import scores
from holdfast.train.seats import full_batch
from holdfast.train.teacher import taught

FEW = 4
SHORT = 0.5  # seconds: what takes less is timed again, warm


def member_seconds(job: Job, dataset: Dataset, instances: int) -> tuple[float, float]:
    """Seconds of one epoch, and of explaining ``instances`` examples, on one core of this machine."""
    model, member = template(job.architecture, dataset.task), Member(0)
    own = job.architecture
    weights = own.weights(dataset.task, member) if own.files else initial(own, dataset.task, member)
    # untrained teachers take as long as trained ones
    drawn = {name: initial(teacher.architecture, dataset.task, member) for name, teacher in job.teachers}
    with one_thread():
        epoch = 0.0
        if not own.files:
            epoch = _epoch(job, model, stack([taught(weights, drawn)]), dataset, member)
        return epoch, sum(_explain(text, model, weights, dataset, instances) for text in job.explainers)


def _epoch(job: Job, model: Model, start: Tensors, dataset: Dataset, member: Member) -> float:
    """All steps, from a few of them, and the look at the validation split that ends an epoch."""
    fit = replace(job.fit, snapshots=0)
    loop = Loop(model, start, dataset, (member,), fit, job.repair_settings)

    def some(steps: int) -> None:
        for _ in islice(loop.steps(1), steps):
            pass
        loop.end(1)

    some(1)
    look, few = _seconds(lambda: some(0)), _seconds(lambda: some(FEW))
    return look + steps_in(loop.parts, job.fit.batch) * max(0.0, few - look) / FEW


def _explain(text: str, model: Model, weights: Tensors, dataset: Dataset, instances: int) -> float:
    """One explainer; nothing where it cannot explain, which costs nothing either."""
    split = dataset.splits["test"]
    explainer = make("explainers", text)
    rows = full_batch(split, explainer.seats(model))
    target = torch.zeros(len(rows), dtype=torch.long)
    try:
        taken = _seconds(
            lambda: scores(model, weights, (Member(0),), explainer, split, rows, target, stacked=False)
        )
    except (HoldfastError, *WRONG):
        return 0.0
    return taken * min(instances, len(split)) / len(rows)


def _seconds(do: Callable[[], object]) -> float:
    taken = 0.0
    for _ in range(2):
        began = time.perf_counter()
        do()
        taken = time.perf_counter() - began
        if taken > SHORT:
            break
    return taken
