"""Checks before training: do the models fit in memory, and do the explainer that decides the verdict, the
repairs, the probes and the comparisons suit them and the data?"""

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import WRONG, BadSetting
from holdfast.core.records import Batch, Member
from holdfast.core.settings import label
from holdfast.data.base import Dataset, Task
from holdfast.measure.probes.base import MapProbe
from holdfast.models.base import TEMPERATURE, Architecture, Model
from holdfast.models.run import Run
from holdfast.study.plan import COMPARISONS, Plan
from holdfast.train.family import initial, template
from holdfast.train.fitting import check_repair
from holdfast.train.folds import own_tasks
from holdfast.train.footprint import COPIES
from holdfast.train.repair import Repair
from holdfast.train.seats import explained_rows
from holdfast.train.teacher import taught

NUMBER = 4  # bytes


def preflight(plan: Plan, datasets: Sequence[Dataset]) -> None:
    """Refuse models that no memory could hold, and repairs and comparisons that do not suit; then ask the
    first explainer of a plan to explain one example of its first data with an untrained member of its first
    model that reads it, every repair to begin and every probe to change it: refused is refused before
    anything is trained, or removed."""
    for number, dataset in enumerate(datasets):
        for model in plan.models_of(number):
            if make("models", model).files:
                continue  # which are not trained
            repairs = [make("repairs", repair) for repair in plan.repairs_of(model)]
            for repair in repairs:
                check_repair(make("models", model), repair)
            needed = max((len(repair.teachers(make("models", model))) for repair in repairs), default=0)
            check_size(model, dataset.task, COPIES + needed)
            if (structure := _structure(model, dataset.task)) is not None:
                for repair in repairs:
                    repair.suits(structure, dataset)
        _compare(plan, dataset)
    explained = [model for model in plan.models_of(0) if make("models", model).explains]
    if not explained:
        return
    model = explained[0]
    architecture, task = make("models", model), datasets[0].task
    first = architecture.weights if architecture.files else partial(initial, architecture)
    run = Run(template(architecture, task), first(task, Member(0)))
    one = datasets[0].splits["test"].batch(torch.tensor([0]))
    _explain(run, one, plan.explainers[0], model)
    for text in plan.repairs_of(model):
        _begin(run, datasets[0], make("repairs", text), architecture)
    for text in plan.probes:
        _probe(run, one, text, model)


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
    """How many there would be."""
    built = _structure(model, task)
    return 0 if built is None else sum(parameter.numel() for parameter in built.parameters())


def _structure(model: str, task: Task) -> Model | None:
    """The network, of which nothing is allocated; None where a model wants to see numbers while it is
    built."""
    try:
        with torch.device("meta"):
            return make("models", model).build(task)  # type: ignore[no-any-return]
    except WRONG:
        return None


def _compare(plan: Plan, dataset: Dataset) -> None:
    """Comparisons of an audit that were given settings of their own; its defaults say little of examples as
    short as that, and are left to say it."""
    split = dataset.splits["test"]
    longest = int(split.scored(explained_rows(len(split), plan.instances)).sum(1).max())
    for text in plan.comparisons:
        if plan.study == "audit" and text not in COMPARISONS:
            make("comparisons", text).suits(longest)


def _explain(run: Run, one: Batch, text: str, model: str) -> None:
    explainer = make("explainers", text)
    if explainer.draws:
        return
    try:
        focused, first = run.model.focused(one, torch.tensor([0]))
        explainer.suits(run, focused, first)
        explainer.scores(run, focused, first)
    except BadSetting as error:
        raise BadSetting(f"{model} cannot be explained this way: {error}") from error
    except WRONG:
        return  # recorded with the others, if it happens again


def _begin(run: Run, dataset: Dataset, repair: Repair, architecture: Architecture) -> None:
    """As training begins; a repair that is broken is heard of there."""
    member, split = Member(0), dataset.splits[run.model.trains_on]
    with suppress(*WRONG):
        teachers = repair.teachers(architecture).items()
        drawn = {name: initial(first.model, dataset.task, member) for name, first in teachers}
        begun = repair.first(taught(run.parameters, drawn), run.model)
        (task,) = own_tasks(run.model.counted(dataset.task, split), split, (member,), None)
        repair.begin({name: begun[name] for name in run.parameters if name != TEMPERATURE}, task)


def _probe(run: Run, one: Batch, text: str, model: str) -> None:
    probe, scores = make("probes", text), torch.zeros(1, one.inputs[0].numel())
    try:
        focused, first = run.model.focused(one, torch.tensor([0]))
        if isinstance(probe, MapProbe):
            probe.effect(run, focused)
        else:
            probe.curve(run, focused, probe.parts(focused, scores), first)
    except BadSetting as error:
        why = str(error).removeprefix(f"{label(probe)}: ")
        raise BadSetting(f"{text} cannot be measured on {model}: {why}") from error
    except WRONG:
        return  # as above
