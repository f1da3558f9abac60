"""A member's numbers are its own, and a repair's stand beside the model's without changing them."""

import torch

from holdfast.core.records import Member
from holdfast.data.base import Task
from holdfast.models.text.average import Average
from holdfast.testing.model import build, example
from holdfast.train.noise import Noise
from holdfast.train.repair import Nothing
from tests.repair.toys import Jitter

TASK, MEMBERS = Task(12, ("no", "yes")), (Member(0), Member(1), Member(0, fold=2))
MODEL = build(Average(hidden=4, dim=3, dropout=0.3), TASK)


def drawn(repair, members=MEMBERS, epoch=1, number=0):
    return Noise(MODEL, repair, members, torch.device("cpu")).draw(example(TASK), epoch, number)


def test_a_models_numbers_are_the_same_under_every_repair():
    plain, beside = drawn(Nothing()), drawn(Jitter())
    assert beside.keys() == plain.keys() | {"repair/shift"}
    for name, tensor in plain.items():
        assert torch.equal(beside[name], tensor)


def test_a_member_draws_the_same_alone_and_among_others():
    together = drawn(Jitter())
    for m, member in enumerate(MEMBERS):
        for name, tensor in drawn(Jitter(), (member,)).items():
            assert torch.equal(tensor[0], together[name][m]), name


def test_every_member_epoch_and_step_has_other_numbers():
    steps = [(1, 0), (1, 1), (2, 0)]
    shifts = torch.cat([drawn(Jitter(), epoch=e, number=n)["repair/shift"] for e, n in steps])
    assert len({tuple(numbers.flatten().tolist()) for numbers in shifts}) == len(MEMBERS) * len(steps)
