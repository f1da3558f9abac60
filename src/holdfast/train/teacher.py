"""The member that a repair needs first: its weights stand beside the student's as ``teacher/<name>``."""

import torch

from holdfast.core.records import Member
from holdfast.train.fit import Trained
from holdfast.train.repair import Tensors

TEACHER = "teacher/"


def taught(start: Tensors, teacher: Tensors) -> Tensors:
    """A student's first weights with those of its teacher.

    >>> list(taught({"w": torch.zeros(1)}, {"w": torch.ones(1)}))
    ['w', 'teacher/w']
    """
    return start | {f"{TEACHER}{name}": tensor for name, tensor in teacher.items()}


def of_teacher(tensors: Tensors) -> Tensors:
    """Those that are the teacher's, by their names in a repair's memory."""
    return {name: tensor for name, tensor in tensors.items() if name.startswith(TEACHER)}


def untaught(member: Member, needs: str, why: str) -> Trained:
    """A student whose teacher was left out: it never trained."""
    reason = f"it learns from {needs} of the same seed, which was left out: {why}"
    return Trained(member, {}, 0, (), torch.empty(0, 0), reason)
