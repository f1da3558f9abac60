"""Members that a learner of their own fits at once, without gradient steps: trees, logistic regression."""

import torch
from torch import Tensor

from holdfast.core.draws import seed_of
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Member
from holdfast.core.settings import label
from holdfast.data.base import Dataset
from holdfast.models.base import Architecture, Model
from holdfast.models.run import Run
from holdfast.train.evaluate import finite, logits, typed
from holdfast.train.fit import Listener, Progress, Trained
from holdfast.train.modality import modality
from holdfast.train.objective import margin
from holdfast.train.precision import exact_float32
from holdfast.train.repair import Repair, Tensors

PROBED = 256
SEEDS = 2**32  # as many as scikit-learn knows


def fit_at_once(
    model: Model,
    initial: Tensors,
    dataset: Dataset,
    members: tuple[Member, ...],
    repair: Repair,
    listen: Listener,
) -> tuple[Trained, ...]:
    """Fit members one after the other, on the rows that each trains on; ``initial`` are stacked."""
    if not repair.only_finishes:
        raise refused("the model", repair)
    trained = []
    for place, member in enumerate(members):
        start = {name: tensor[place] for name, tensor in initial.items()}
        trained.append(_fit(model, start, dataset, member, repair))
        listen(Progress(members, place + 1, len(members), place + 1 == len(members)))
    return tuple(trained)


def check_repair(architecture: Architecture, repair: Repair) -> None:
    """Refuse a repair of training where there is none to repair."""
    if architecture.fits and not repair.only_finishes:
        raise refused(label(architecture), repair)


def refused(model: str, repair: Repair) -> BadSetting:
    """The sentence."""
    return BadSetting(
        f"{model}: expected no repair, as it is fitted without gradient steps, but got {label(repair)}: "
        "leave --repair out, choose temperature, or choose the model mlp"
    )


def _fit(model: Model, start: Tensors, dataset: Dataset, member: Member, repair: Repair) -> Trained:
    batch, validation = _rows(dataset, member), dataset.splits["validation"]
    lacks = _lacks(batch, dataset)
    if lacks:
        return Trained(member, start, 1, (), torch.zeros(0, 0), lacks)
    like = next(iter(start.values()))
    found = _alone(model, start, typed(batch, like.dtype), seed_of(member, "fit") % SEEDS)
    weights = start | {name: tensor.to(start[name]) for name, tensor in found.items()}
    with exact_float32():
        weights = repair.finish(Run(model, weights), validation)
    seen = logits(model, weights, validation)[None]
    score = modality(dataset.task.kind).watched(seen, validation.targets.to(seen.device))
    sound = bool(finite(weights, stacked=False)) and bool(seen.isfinite().all())
    why = None if sound else "after training, its outputs are no finite numbers"
    return Trained(member, weights, 1, (float(score),), margin(seen[:, :PROBED])[0][None].cpu(), why)


def _alone(model: Model, start: Tensors, batch: Batch, seed: int) -> dict[str, Tensor]:
    """On the CPU, with one thread: a member's numbers must not depend on how many there are."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        return Run(model, {name: tensor.cpu() for name, tensor in start.items()}).fitted(batch, seed)


def _rows(dataset: Dataset, member: Member) -> Batch:
    """What a member trains on."""
    split = dataset.splits["train"]
    rows = split.trains(member)
    return split.batch(torch.arange(len(split)) if rows is None else rows)


def _lacks(batch: Batch, dataset: Dataset) -> str:
    """That a class is missing, where rows were drawn."""
    assert batch.targets is not None
    count = batch.targets.bincount(minlength=len(dataset.task.classes))
    absent = [name for name, rows in zip(dataset.task.classes, count.tolist(), strict=True) if not rows]
    return f"its draw of the training rows has none of class '{absent[0]}'" if absent else ""
