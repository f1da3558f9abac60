"""Training on a GPU beside training on the CPU, and captured steps beside plain ones: functions that a
script can call as well."""

from unittest import mock

import torch

from holdfast.core.catalogue import make
from holdfast.core.settings import label
from holdfast.repair.aswa import Aswa
from holdfast.train import loop
from holdfast.train.composed import Composed
from holdfast.train.family import initial, template
from holdfast.train.job import stack
from holdfast.train.noise import shapes_of
from tests.repair.toys import TOYS, Clipped, Jitter, Student, Trades
from tests.train.cases import MEMBERS, doubles, fit_of, learning, only
from tests.train.pair_toy import PairToy

MODELS = (
    ("cnn:filters=4,dim=8,dropout=0.3", "adam"),
    ("cnn:filters=4,dim=8", "adam"),
    ("bilstm:hidden=4,dim=8", "sgd"),
    ("average", "adagrad"),
)
KNOWN = tuple(
    make("repairs", text) for text in ("none", "swa:start=0.3", "aswa", "naswa", "balanced_sampling")
)
JOINED = tuple(Composed((toy, Aswa())) for toy in (Jitter(), Student(), Clipped()))
REPAIRS = (*KNOWN, *TOYS, Trades(), *JOINED)


def assert_on_a_gpu(dataset, members, repair, model, optimiser):
    """Captured steps lead where plain steps lead on the GPU, and where nothing is drawn (a GPU draws other
    numbers) to where training on the CPU leads."""
    captured = trained(dataset, members, repair, model, optimiser, "cuda")
    with mock.patch.object(loop, "Graphs", return_value=None):
        assert_near(captured, trained(dataset, members, repair, model, optimiser, "cuda"))
    if not draws(dataset, repair, model):
        assert_near(captured, trained(dataset, members, repair, model, optimiser, "cpu"))


def assert_pairs_on_a_gpu(dataset, members):
    """The same of a model that trains on pairs, whose negatives are refilled in place each epoch."""
    captured = trained_on_pairs(dataset, members, "cuda")
    with mock.patch.object(loop, "Graphs", return_value=None):
        assert_near(captured, trained_on_pairs(dataset, members, "cuda"))


def trained_on_pairs(dataset, members, device):
    """Some members of the smallest model of pairs after three epochs."""
    parts = [initial(PairToy(), dataset.task, member) for member in MEMBERS[:members]]
    start = {name: tensor.double().to(device) for name, tensor in stack(parts).items()}
    fit = fit_of("adagrad", epochs=3, batch=8, patience=3)
    network = template(PairToy(), dataset.task)
    return loop.train(network, start, dataset, MEMBERS[:members], fit, make("repairs", "aswa"))


def trained(dataset, members, repair, model, optimiser, device):
    """Some members after three epochs."""
    start = doubles(model, dataset.task)
    start = start if members > 1 else only(start, 0)
    start = {name: tensor.to(device) for name, tensor in learning(start, repair).items()}
    fit = fit_of(optimiser, epochs=3, batch=8, patience=3)
    network = template(make("models", model), dataset.task)
    return loop.train(network, start, dataset, MEMBERS[:members], fit, repair)


def draws(dataset, repair, model):
    """Whether training wants random numbers."""
    network = template(make("models", model), dataset.task)
    return any(shapes_of(network, repair, dataset.splits["train"].batch(torch.arange(2))))


def assert_near(some, others):
    """Weights agree to 1e-7, and the same epoch is the best."""
    for one, other in zip(some, others, strict=True):
        assert (one.best, one.why) == (other.best, other.why)
        for name, tensor in one.parameters.items():
            expected = other.parameters[name].cpu()
            torch.testing.assert_close(tensor.cpu(), expected, rtol=1e-7, atol=1e-7, msg=label_of(name))


def label_of(name):
    """The usual message, after the name of the tensor."""
    return lambda message: f"{name}: {message}"


def cases():
    """What is compared: every model with every repair, one member and three."""
    for model, optimiser in MODELS:
        for repair in REPAIRS:
            for members in (1, 3):
                yield f"{model}, {label(repair)}, {members}", (members, repair, model, optimiser)
