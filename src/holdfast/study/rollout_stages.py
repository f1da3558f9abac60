"""How explanations come about: the same histories explained by the weights after every epoch."""

from collections.abc import Iterator

import torch
from torch import Tensor

from holdfast.core.catalogue import make
from holdfast.core.records import Explanation, Member
from holdfast.measure.reduce import mean_over_members
from holdfast.study.cell import Cell
from holdfast.study.rollout_numbers import row
from holdfast.study.table import Row
from holdfast.train.family import Family
from holdfast.train.job import stack

ROWS = 200
METHODS = ("gradient", "attention_first", "attention_last", "rollout", "shapley")


def stages(cell: Cell) -> list[dict[str, Explanation]]:
    """What members whose weights were kept say after epoch 1, 2, …, by method; empty where none were."""
    kept = {member: cell.job.snapshots(member) for member in cell.members}
    members = tuple(member for member in cell.members if kept[member])
    if not members:
        return []
    epochs = min(len(kept[member]) for member in members)
    return [_stage(cell, members, [kept[member][epoch] for member in members]) for epoch in range(epochs)]


def recall_rows(cell: Cell) -> Iterator[Row]:
    """Recall of the validation item after every epoch, of all members."""
    histories = [(cell.job.about(member) or {}).get("history", []) for member in cell.members]
    for epoch in range(min(map(len, histories), default=0)):
        values = [history[epoch] for history in histories]
        if None not in values:
            at = {"by": "epoch", "bin": str(epoch + 1), "at": float(epoch + 1)}
            yield row(cell, "recall", mean_over_members(torch.tensor(values)), **at)


def _stage(
    cell: Cell, members: tuple[Member, ...], weights: list[dict[str, Tensor]]
) -> dict[str, Explanation]:
    there = {name: tensor.to(cell.device) for name, tensor in stack(weights).items()}
    family = Family(cell.job.architecture, cell.dataset.task, members, there)
    split, rows, target = cell.dataset.splits["test"], cell.rows[:ROWS], cell.target[:ROWS]
    wanted = [text for text in cell.explanations if text.partition(":")[0] in METHODS]
    return {text: family.explain(make("explainers", text), split, rows, target) for text in wanted}
