"""Members that are folds: who trains on which rows."""

from dataclasses import replace

import torch
from jaxtyping import Int
from torch import Tensor

from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.data.base import Split, Task


def own_rows(split: Split, members: tuple[Member, ...]) -> Int[Tensor, "M n"] | None:
    """The rows each member trains on, where they differ (folds); ``None`` where all train on all rows."""
    each = [rows for rows in map(split.trains, members) if rows is not None]
    if not each:
        return None
    sizes = sorted({len(rows) for rows in each})
    if len(each) < len(members) or len(sizes) > 1 or split.padded:
        raise BadSetting(
            "expected members to train on as many rows each, all of the same length, "
            f"but got {' and '.join(map(str, sizes))} rows: train folds and plain seeds as two families"
        )
    return torch.stack(each)


def own_tasks(
    task: Task, split: Split, members: tuple[Member, ...], rows: Int[Tensor, "M n"] | None
) -> tuple[Task, ...]:
    """The task as each member meets it: with the class counts of the ``rows`` that it trains on."""
    if not task.classes:
        return (task,) * len(members)
    targets = [split.targets] if rows is None else [split.targets[some] for some in rows]
    tasks = [replace(task, counts=_counts(task, some)) for some in targets]
    return tuple(tasks) if rows is not None else (tasks[0],) * len(members)


def _counts(task: Task, targets: Int[Tensor, "n"]) -> tuple[int, ...]:
    return tuple(targets.bincount(minlength=len(task.classes)).tolist())
