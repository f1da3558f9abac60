"""Every repair keeps the contract, and the suite sees what it is there to see."""

import pytest
import torch

from holdfast.core.catalogue import catalogue, make
from holdfast.core.settings import label
from holdfast.repair.aswa import Aswa
from holdfast.testing.repair import check_repair
from holdfast.train.repair import Nothing
from tests.repair.toys import TOYS


@pytest.mark.parametrize("text", [*catalogue("repairs"), "naswa:per=tensor", "swa:start=0", "swa:factor=2"])
def test_every_repair_keeps_the_contract(text):
    check_repair(make("repairs", text))


@pytest.mark.parametrize("repair", TOYS, ids=label)
def test_repairs_that_use_every_hook_keep_it(repair):
    check_repair(repair)


class Undecided(Nothing):
    stops = None


class Still(Nothing):
    def rate(self, epoch, epochs):
        return 0.0


class Careless(Aswa):
    def step(self, parameters, memory, t):
        return parameters, {name: memory[name].lerp_(tensor, 0.5) for name, tensor in parameters.items()}


class Grows(Nothing):
    def step(self, parameters, memory, t):
        return parameters, memory | {"t": t}


class RemembersOnly(Aswa):
    def step(self, parameters, memory, t):
        return super().step(parameters, memory, t)[1]


class Loses(Nothing):
    def step(self, parameters, memory, t):
        return {name: tensor for name, tensor in parameters.items() if name != "scalar"}, memory


class Widens(Nothing):
    def step(self, parameters, memory, t):
        return {name: tensor[None] for name, tensor in parameters.items()}, memory


class Raises(Nothing):
    def step(self, parameters, memory, t):
        return {name: tensor.double() for name, tensor in parameters.items()}, memory


class Scales(Nothing):
    def step(self, parameters, memory, t):
        return {name: tensor.mul_(0.9) for name, tensor in parameters.items()}, memory


class Shrinks(Nothing):
    def outcome(self, parameters, memory, epoch, epochs):
        return {name: tensor.sum() for name, tensor in parameters.items()}


class Renames(Nothing):
    def turn(self, parameters, memory, epoch, epochs):
        return {f"new {name}": tensor for name, tensor in parameters.items()}, memory


class Forgets(Nothing):
    def outcome(self, parameters, memory, epoch, epochs):
        return {name: tensor for name, tensor in parameters.items() if name != "scalar"}


class Doubles(Nothing):
    def turn(self, parameters, memory, epoch, epochs):
        return {name: tensor.double() for name, tensor in parameters.items()}, memory


class Divides(Nothing):
    def turn(self, parameters, memory, epoch, epochs):
        return {name: tensor / (epochs - epoch) for name, tensor in parameters.items()}, memory


class Secretly(Nothing):
    def outcome(self, parameters, memory, epoch, epochs):
        return {name: tensor * 0.5 for name, tensor in parameters.items()}


class Random(Nothing):
    def turn(self, parameters, memory, epoch, epochs):
        return {name: tensor + torch.rand(()) for name, tensor in parameters.items()}, memory


class Reads(Aswa):
    def turn(self, parameters, memory, epoch, epochs):
        largest = max(float(tensor.max()) for tensor in parameters.values())
        return {name: tensor / largest for name, tensor in parameters.items()}, memory


class Perhaps(Nothing):
    def trains(self, name):
        return None


class Unsaid(Nothing):
    balances = None


class Claims(Nothing):
    balances = True


class Tilts(Nothing):
    balances = True

    def chances(self, task):
        return (1.0, 1.0)


class Single(Nothing):
    def chances(self, task):
        return (1.0,)


class Negative(Nothing):
    def chances(self, task):
        return (1.0, -1.0)


class NoRow(Nothing):
    def chances(self, task):
        return (0.0, 0.0)


class NoNegatives(Nothing):
    def negatives(self, count):
        return 0


class Erases(Nothing):
    def first(self, parameters, model):
        return {name: tensor.zero_() for name, tensor in parameters.items()}


class Lowers(Nothing):
    def first(self, parameters, model):
        return {name: tensor.float() for name, tensor in parameters.items()}


@pytest.mark.parametrize(
    ("repair", "error", "message"),
    [
        (Erases(), AssertionError, "first wrote onto what it was given"),
        (Lowers(), AssertionError, r"first changes the dtype of .* to torch\.float32"),
        (Undecided(), AssertionError, "stops is None, not True or False"),
        (Perhaps(), AssertionError, r"trains\('matrix'\) is not True or False"),
        (Unsaid(), AssertionError, "balances is None, not True or False"),
        (Claims(), AssertionError, r"classes have the shares \[30\.0, 10\.0\]"),
        (Tilts(), AssertionError, r"classes have the shares \[30\.0, 10\.0\]"),
        (Single(), AssertionError, "there are 1 chances, not one for each class"),
        (Negative(), AssertionError, r"chances are \(1\.0, -1\.0\)"),
        (NoRow(), AssertionError, "no class has a chance to be drawn"),
        (NoNegatives(), AssertionError, "of 1 negatives, 0 are drawn"),
        (Still(), AssertionError, r"the rate of epoch 1 is 0\.0"),
        (Careless(), AssertionError, "step changed its input"),
        (Grows(), AssertionError, "the memory's names change"),
        (RemembersOnly(), AssertionError, "step gives back dict, not the parameters and the memory"),
        (Loses(), AssertionError, "step changes the names of the parameters"),
        (Widens(), AssertionError, "step changes the shape of matrix"),
        (Raises(), AssertionError, r"step changes the dtype of matrix to torch\.float64"),
        (Scales(), AssertionError, "step changed its input matrix"),
        (Shrinks(), AssertionError, "outcome changes the shape of matrix"),
        (Renames(), AssertionError, "turn changes the names of the parameters"),
        (Forgets(), AssertionError, "outcome changes the names of the parameters"),
        (Doubles(), AssertionError, r"turn changes the dtype of matrix to torch\.float64"),
        (Divides(), AssertionError, "is not finite"),
        (Secretly(), AssertionError, "outcome changes matrix: say averages = True"),
        (Random(), AssertionError, "is not the same the second time"),
        (Reads(), RuntimeError, "vmap"),
    ],
)
def test_a_broken_repair_fails(repair, error, message):
    with pytest.raises(error, match=message):
        check_repair(repair)
