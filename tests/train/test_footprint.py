"""How many members train at once: every copy of the weights counts, a large memory and a teacher too."""

from dataclasses import dataclass

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.records import Member
from holdfast.models.interaction.neumf import Neumf
from holdfast.models.text.cnn import Cnn
from holdfast.repair.aswa import Aswa
from holdfast.train.family import initial, template
from holdfast.train.footprint import COPIES, member_bytes, members_at_once
from holdfast.train.repair import Nothing, Repair
from holdfast.train.teacher import taught
from tests.repair.toys import Balanced, Student
from tests.train.cases import learning


@dataclass(frozen=True)
class Three(Repair):
    """A memory of three copies of the weights."""

    def begin(self, parameters, task):
        return {f"{n}/{name}": tensor.clone() for n in range(3) for name, tensor in parameters.items()}


@pytest.mark.parametrize(
    ("repair", "copies"), [(Nothing(), 0), (Aswa(), 0), (Balanced(), 0), (Student(), 1), (Three(), 4)]
)
def test_every_copy_counts(planted, repair, copies):
    model = Cnn(filters=4, dim=16)
    start, network = initial(model, planted.task, Member(0)), template(model, planted.task)
    del start["temperature"]  # four bytes, of which no repair has a copy
    size = sum(tensor.numel() * 4 for tensor in start.values())
    found = member_bytes(network, learning(start, repair), repair, planted, Member(0))
    assert found == (COPIES + copies) * size


def test_both_teachers_count_and_classes_of_pairs_are_known(plays):
    student, repair = Neumf(dim=4, width=3), make("repairs", "pretrained+class_balanced")
    first = {
        name: initial(own.model, plays.task, Member(0)) for name, own in repair.teachers(student).items()
    }
    start, network = initial(student, plays.task, Member(0)), template(student, plays.task)
    sizes = [sum(tensor.numel() * 4 for tensor in own.values()) for own in (start, *first.values())]
    found = member_bytes(network, taught(start, first), repair, plays, Member(0))
    assert found == COPIES * sizes[0] + sizes[1] + sizes[2]


def test_half_the_memory_is_left(monkeypatch):
    for free, expected in ((2 * 7000 * 5, 5), (2 * 7000 * 5 - 1, 4), (10, 1)):
        monkeypatch.setattr(torch.cuda, "mem_get_info", lambda device, free=free: (free, 10 * free))
        assert members_at_once(7000, "cuda") == expected
