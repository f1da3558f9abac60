"""A student learns from the finished member of the same seed."""

from dataclasses import replace

import pytest
import torch

from holdfast.core.errors import TooFewMembers
from holdfast.core.records import Member
from holdfast.models.text.cnn import Cnn
from holdfast.repair.aswa import Aswa
from holdfast.train.composed import Composed
from holdfast.train.family import Family, fit_all
from holdfast.train.fit import Fit
from holdfast.train.optimise import Adam, Sgd
from tests.repair.toys import Student
from tests.train.linear import Linear, digits

CNN, FIT = Cnn(filters=4, dim=8, dropout=0.2), Fit(epochs=4, optimiser=Adam(lr=0.01))
SEEDS = (Member(0), Member(1))
STUDENTS = [Student(20.0), Composed((Student(20.0), Aswa()))]
students = pytest.mark.parametrize("repair", STUDENTS, ids=["alone", "joined"])


@pytest.fixture(scope="module")
def teachers(planted):
    return Family.fit(CNN, planted, SEEDS, FIT)


def fitted(planted, repair, teacher):
    """Members that learn from those that are given."""
    asked = (CNN, planted, SEEDS, FIT, repair, "cpu", lambda progress: None, None)
    return Family.of(CNN, planted.task, [one for chunk in fit_all(*asked, {"": teacher}) for one in chunk])


def far(a, b, split):
    """How far the predictions of two families are from each other."""
    return float((a.logits(split).softmax(-1) - b.logits(split).softmax(-1)).abs().mean())


def assert_equal(one, other, members):
    for member in members:
        for name, tensor in one.parameters_of(member).items():
            assert torch.equal(tensor, other.parameters_of(member)[name]), (member, name)


@students
def test_predictions_come_near_those_of_the_teacher(planted, teachers, repair):
    split, swapped = planted.splits["test"], teachers.select(SEEDS[::-1])
    crossed = fitted(planted, repair, lambda member: teachers.parameters_of(SEEDS[1 - member.seed]))
    assert far(crossed, swapped, split) < 0.5 * far(teachers, swapped, split)


@students
def test_the_teacher_is_the_finished_member_of_the_same_seed(planted, teachers, repair):
    by_hand = fitted(planted, repair, teachers.parameters_of)
    assert_equal(Family.fit(CNN, planted, SEEDS, FIT, repair), by_hand, SEEDS)
    alone = Family.fit(CNN, planted, SEEDS[1:], FIT, repair)
    assert_equal(alone, by_hand, SEEDS[1:])


def test_folds_learn_from_the_same_fold():
    data, folds = digits(), (Member(0, 0), Member(0, 1))
    both = Family.fit(Linear(), data, folds, Fit(epochs=1), Student())
    for fold in folds:
        assert_equal(Family.fit(Linear(), data, [fold], Fit(epochs=1), Student()), both, [fold])


def test_without_a_teacher_that_trained_well_there_is_no_student(planted):
    wild = replace(FIT, optimiser=Sgd(lr=1e38))
    with pytest.raises(TooFewMembers, match="diverged in epoch 1"):
        Family.fit(CNN, planted, SEEDS, wild, Student())
