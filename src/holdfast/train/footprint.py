"""How much memory members take while they train."""

import torch

from holdfast.core.records import Member
from holdfast.data.base import Dataset
from holdfast.models.base import TEMPERATURE, Model
from holdfast.train.folds import own_rows, own_tasks
from holdfast.train.repair import Repair, Tensors
from holdfast.train.teacher import of_teacher

COPIES = 7  # weights, gradient, two of the optimiser, the average, its update, the best


def member_bytes(model: Model, start: Tensors, repair: Repair, dataset: Dataset, member: Member) -> int:
    """What one member takes, without activations: every copy of its weights, its teachers' weights, and
    what of the repair's memory and its update is larger than an average."""
    split, teacher = dataset.splits[model.trains_on], of_teacher(start)
    weights = {name: tensor for name, tensor in start.items() if name not in teacher}
    counted = model.counted(dataset.task, split)
    (task,) = own_tasks(counted, split, (member,), own_rows(split, (member,)))
    trained = {n: tensor for n, tensor in weights.items() if n != TEMPERATURE and repair.trains(n)}
    memory = repair.begin(trained, task)
    return COPIES * _bytes(weights) + _bytes(teacher) + 2 * max(0, _bytes(memory) - _bytes(weights))


def members_at_once(each: int, device: str) -> int:
    """How many members of ``each`` bytes fit: half the memory is for activations."""
    free, _ = torch.cuda.mem_get_info(device)
    return max(1, int(free / 2 // each))


def _bytes(tensors: Tensors) -> int:
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors.values())
