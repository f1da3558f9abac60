"""The members that a repair needs first: their weights stand beside the student's as ``teacher/…``."""

from collections.abc import Mapping

import torch

from holdfast.core.records import Member
from holdfast.train.fit import Trained
from holdfast.train.job import Job
from holdfast.train.repair import Tensors

TEACHER = "teacher/"


def taught(start: Tensors, teachers: Mapping[str, Tensors]) -> Tensors:
    """A student's first weights with those of its teachers, by their names; one may have no name.

    >>> list(taught({"w": torch.zeros(1)}, {"": {"w": torch.ones(1)}, "gmf": {"w": torch.ones(1)}}))
    ['w', 'teacher/w', 'teacher/gmf/w']
    """
    beside = [(f"{TEACHER}{name}/" if name else TEACHER, weights) for name, weights in teachers.items()]
    return start | {f"{place}{name}": t for place, weights in beside for name, t in weights.items()}


def of_teacher(tensors: Tensors) -> Tensors:
    """Those that are a teacher's, by their names in a repair's memory."""
    return {name: tensor for name, tensor in tensors.items() if name.startswith(TEACHER)}


def untaught(member: Member, teacher: str, why: str, seed: int | None = None) -> Trained:
    """A student whose teacher was left out: it never trained."""
    whose = "the same seed" if seed is None else f"seed {seed}"
    reason = f"it learns from {teacher} of {whose}, which was left out: {why}"
    return Trained(member, {}, 0, (), torch.empty(0, 0), reason)


def left_out(job: Job, member: Member) -> Trained | None:
    """The member, if one of its teachers was left out."""
    whys = [(name or own.repair, own.why(own.whose(member)), own.seed) for name, own in job.teachers]
    return next((untaught(member, name, why, seed) for name, why, seed in whys if why is not None), None)
