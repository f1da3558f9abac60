"""What the training tests share: members in float64, trained together or each alone."""

import torch

from holdfast.core.catalogue import make
from holdfast.core.records import Member
from holdfast.train.family import initial, template
from holdfast.train.fit import Fit
from holdfast.train.job import stack
from holdfast.train.loop import train
from holdfast.train.repair import Nothing
from holdfast.train.teacher import taught

MEMBERS = tuple(Member(seed) for seed in range(3))


def doubles(model, task, members=MEMBERS):
    """The members' first weights, stacked, in float64."""
    parts = [initial(make("models", model), task, member) for member in members]
    return {name: tensor.double() for name, tensor in stack(parts).items()}


def only(start, m):
    """One member of the stack, as a stack of one."""
    return {name: tensor[m : m + 1] for name, tensor in start.items()}


def learning(start, repair):
    """The start with some other weights as the teacher's, where the repair needs one."""
    if repair.needs is None:
        return start
    return taught(start, {"": {name: tensor * 0.5 for name, tensor in start.items()}})


def both(model, dataset, fit, repair=None, start=None, members=MEMBERS):
    """The members trained together, and each of them trained alone."""
    repair = repair or Nothing()
    start = learning(doubles(model, dataset.task, members) if start is None else start, repair)
    network = template(make("models", model), dataset.task)
    together = train(network, start, dataset, members, fit, repair)
    alone = [
        train(network, only(start, m), dataset, (member,), fit, repair)[0] for m, member in enumerate(members)
    ]
    return together, alone


def assert_same(together, alone, tolerance=1e-9):
    """Weights, scores and paths agree, and every count is the same."""
    for one, other in zip(together, alone, strict=True):
        assert one.member == other.member
        assert one.best == other.best
        assert one.why == other.why
        assert len(one.history) == len(other.history)
        for name, tensor in one.parameters.items():
            torch.testing.assert_close(tensor, other.parameters[name], rtol=tolerance, atol=tolerance)
        torch.testing.assert_close(one.path, other.path, rtol=tolerance, atol=tolerance, equal_nan=True)


def fit_of(optimiser="adam", **settings):
    """How to train, with the optimiser in its written form."""
    return Fit(**settings, optimiser=make("optimisers", optimiser))
