"""What a reader must know of the families of a study, in sentences."""

import math
from collections.abc import Sequence

from holdfast.core.catalogue import make
from holdfast.core.settings import label
from holdfast.data.reading import listed
from holdfast.study.plan import Plan
from holdfast.study.result import FamilyResult
from holdfast.train.family import template
from holdfast.train.here import only_here
from holdfast.train.job import EXPLAINED

RAN = {
    "cpu": "Trained in worker processes on the CPU, one thread and one member at a time.",
    "cuda": "Trained on a GPU, all members stacked, in CUDA graphs, with products in TF32.",
}


def notes(cells: Sequence[FamilyResult], plan: Plan) -> tuple[str, ...]:
    """Every sentence once: of the families one after the other, then of how they were trained."""
    own = [note for cell in cells for note in _own(cell)]
    return tuple(dict.fromkeys([*own, RAN[plan.device], *_here(cells, plan), *_epochs(cells, plan)]))


def _here(cells: Sequence[FamilyResult], plan: Plan) -> list[str]:
    """What workers could not do."""
    methods = [text for cell in cells for kind in ("", EXPLAINED) for text in cell.job.methods(kind)]
    names = only_here(methods) if plan.device == "cpu" else []
    return [
        f"Worker processes cannot import {name}: what it takes part in ran in the process that started them."
        for name in names
    ]


def _own(cell: FamilyResult) -> list[str]:
    left = [f"{out.member} of {cell.model} ({cell.repair}) is left out: {out.why}." for out in cell.left_out]
    failed = [f"{name} could not explain {cell.model}: {why}" for name, why in cell.failed.items()]
    some = len(cell.rows) < len(cell.targets)
    bound = [f"{len(cell.rows)} of {len(cell.targets)} test examples of {cell.data} were explained."] * some
    known = cell.dataset.splits["test"].truth(cell.rows) is not None
    wrong = [
        f"{cell.model}: no explained class is the true one, so nothing is compared with the known truth."
    ]
    untold = wrong * (known and not bool(cell.true.any()))
    return [*cell.dataset.notes, *bound, *left, *failed, *_suited(cell), *untold, *_missed(cell)]


def _suited(cell: FamilyResult) -> list[str]:
    """How an explainer ran whose settings leave something to the model."""
    model = template(cell.job.architecture, cell.dataset.task)
    made = {text: make("explainers", text) for text in cell.explanations}
    ran = {text: own for text, one in made.items() if (own := one.suited(model)) != one}
    return [f"{text} ran as {label(own)} on {cell.model}." for text, own in ran.items()]


def _missed(cell: FamilyResult) -> list[str]:
    """Which explainers' scores miss more of what they should add up to than they promise."""
    told = []
    for name, explanation in cell.explanations.items():
        within = make("explainers", name).within
        if explanation.lost is None or explanation.evidence is None or within == math.inf:
            continue
        far = explanation.lost.abs() > within * explanation.evidence.abs()
        if bool(far.any()):
            told.append(
                f"{name} of {cell.model} ({cell.repair}): the scores of {int(far.sum())} of {far.numel()} "
                f"explanations miss more than {100 * within:g} % of what they should add up to."
            )
    return told


def _epochs(cells: Sequence[FamilyResult], plan: Plan) -> list[str]:
    """Which epochs count, where the best one on the validation split does, and whose first was the best."""
    several = len({cell.data for cell in cells}) > 1
    ranges, first = [], []
    for cell in cells if plan.fit.epochs > 1 else ():
        name = f"{cell.model} ({cell.repair})" + (f" on {cell.data}" if several else "")
        best = _best(cell)
        if best:
            ends = dict.fromkeys((str(min(best)), str(max(best))))
            ranges.append(f"epoch {' to '.join(ends)} of {name}")
        if 1 in best:
            first.append(
                f"Training of {name} stopped improving after the first epoch in {best.count(1)} of "
                f"{len(best)} seeds: if they are not good enough, try a smaller learning rate (--optimiser) "
                "or more data."
            )
    most = f"The best epoch on the validation split counts, of at most {plan.fit.epochs}"
    counts = f"{most}: {listed(ranges)}."
    return [*([counts] if ranges else []), *first]


def _best(cell: FamilyResult) -> list[int]:
    """The best epoch of every member; nothing where the last one counts."""
    if cell.job.fit.last or not cell.job.repair_settings.stops:
        return []
    told = (cell.job.note(member) or {} for member in cell.members)
    return [about["best"] for about in told if "best" in about]
