"""Members whose weights are brought along in files: nothing is trained."""

from collections.abc import Iterator, Sequence

import torch

from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.core.settings import label
from holdfast.data.base import Task
from holdfast.models.base import Architecture
from holdfast.train.fit import Trained
from holdfast.train.repair import Nothing, Repair


def brought(architecture: Architecture, task: Task, member: Member, device: str = "cpu") -> Trained:
    """A member as training would leave it; no epoch counts, and no validation score is known."""
    if member.fold is not None or member.seed >= len(architecture.files):
        raise BadSetting(
            f"expected one of the {len(architecture.files)} checkpoints that were given, but got {member}: "
            "give more of them"
        )
    weights = {name: tensor.to(device) for name, tensor in architecture.weights(task, member).items()}
    return Trained(member, weights, 0, (), torch.empty(0, 0))


def bring(
    architecture: Architecture, task: Task, members: Sequence[Member], repair: Repair, device: str
) -> Iterator[tuple[Trained]]:
    """Members one after the other, on a device."""
    check_repair(architecture, repair)
    for member in members:
        yield (brought(architecture, task, member, device),)


def check_repair(architecture: Architecture, repair: Repair) -> None:
    """A repair is a change of training: refused where there is none."""
    if architecture.files and repair != Nothing():
        raise BadSetting(
            f"{label(repair)} changes training, but these members come trained, from "
            f"{architecture.files[0]} and others: leave --repair out"
        )
