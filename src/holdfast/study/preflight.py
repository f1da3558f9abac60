"""Checks before training: do the models fit in memory, and does the explainer that decides the verdict suit
them?"""

import os
from collections.abc import Sequence

import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import WRONG, BadSetting
from holdfast.core.records import Member
from holdfast.data.base import Dataset, Task
from holdfast.models.base import Run
from holdfast.study.plan import Plan
from holdfast.train.family import initial, template
from holdfast.train.footprint import COPIES

NUMBER = 4  # bytes


def preflight(plan: Plan, datasets: Sequence[Dataset]) -> None:
    """Refuse models that no memory could hold; then ask the first explainer of a plan to explain one example
    of its first data with an untrained member of its first model: refused is refused before anything is
    trained, or removed."""
    for number, dataset in enumerate(datasets):
        for model in plan.models_of(number):
            check_size(
                model, dataset.task, COPIES + any(make("repairs", repair).needs for repair in plan.repairs)
            )
    _explain(plan, datasets[0])


def check_size(model: str, task: Task, copies: int = COPIES) -> None:
    """Refuse a model of which a member in training is larger than this machine's memory."""
    count = _parameters(model, task)
    wanted, memory = NUMBER * copies * count, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if wanted > memory:
        raise BadSetting(
            f"{model}: training a member of {count:,} parameters takes {wanted / 2**30:,.0f} GiB, but this "
            f"machine has {memory / 2**30:,.0f} GiB: choose smaller settings or shorter histories"
        )


def _parameters(model: str, task: Task) -> int:
    """How many there would be: nothing is allocated."""
    try:
        with torch.device("meta"):
            built = make("models", model).build(task)
    except WRONG:  # a model that wants to see numbers while it is built
        return 0
    return sum(parameter.numel() for parameter in built.parameters())


def _explain(plan: Plan, dataset: Dataset) -> None:
    model = plan.models_of(0)[0]
    explainer, architecture = make("explainers", plan.explainers[0]), make("models", model)
    if explainer.draws:
        return
    run = Run(template(architecture, dataset.task), initial(architecture, dataset.task, Member(0)))
    one, first = dataset.splits["test"].batch(torch.tensor([0])), torch.tensor([0])
    try:
        explainer.suits(run, one, first)
        explainer.scores(run, one, first)
    except BadSetting as error:
        raise BadSetting(f"{model} cannot be explained this way: {error}") from error
    except WRONG:
        return  # recorded with the others, if it happens again
