"""Families that take turns go the way that each goes alone."""

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.train.family import template
from holdfast.train.loop import train, training
from holdfast.train.turns import take_turns
from tests.train.cases import MEMBERS, doubles, fit_of

MODEL = "cnn:filters=2,dim=4,dropout=0.3"


def test_taking_turns_changes_nothing(planted):
    network, start = template(make("models", MODEL), planted.task), doubles(MODEL, planted.task)
    fit, repairs, together = fit_of(epochs=2, batch=16), ("none", "aswa", "naswa:per=tensor"), {}

    def steps(repair):
        together[repair] = yield from training(network, start, planted, MEMBERS, fit, make("repairs", repair))

    take_turns([steps(repair) for repair in repairs], at_once=2, device="cpu")
    for repair in repairs:
        alone = train(network, start, planted, MEMBERS, fit, make("repairs", repair))
        for one, other in zip(alone, together[repair], strict=True):
            assert one.history == other.history
            assert all(torch.equal(one.parameters[name], other.parameters[name]) for name in one.parameters)


def test_a_family_that_fails_ends_the_turns():
    done = []

    def fails():
        yield
        raise RuntimeError("no memory left")

    def goes_on():
        for step in range(9):
            done.append(step)
            yield

    with pytest.raises(RuntimeError, match="no memory left"):
        take_turns([goes_on(), fails()], at_once=2, device="cpu")
    assert done == [0, 1]
