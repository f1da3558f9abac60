"""The checks on a real network see what they are there to see: draws, losses, steps and the finish."""

import pytest
import torch

from holdfast.testing.repair import check_repair
from holdfast.train.repair import Nothing, Repair
from tests.repair.toys import Jitter, Tethered


class Sideways(Jitter):
    def draws(self, batch):
        return {"shift": (1, len(batch))}


class OneLoss(Repair):
    def losses(self, run, batch, noise, memory):
        return super().losses(run, batch, noise, memory).mean()


class Deaf(Repair):
    def losses(self, run, batch, noise, memory):
        return super().losses(run, batch, {}, memory)


class Unread(Jitter):
    def losses(self, run, batch, noise, memory):
        return Repair.losses(self, run, batch, noise, memory)


class Beside(Repair):
    def losses(self, run, batch, noise, memory):
        losses = super().losses(run, batch, noise, memory)
        return losses / losses.sum()


class Endless(Repair):
    def losses(self, run, batch, noise, memory):
        return super().losses(run, batch, noise, memory) / 0


class Overwrites(Tethered):
    def losses(self, run, batch, noise, memory):
        losses = super().losses(run, batch, noise, memory)
        for tensor in memory.values():
            tensor.mul_(0.5)
        return losses


class Drops(Nothing):
    def finish(self, run, validation):
        return {name: tensor for name, tensor in run.parameters.items() if name != "head.bias"}


class Flattens(Nothing):
    def finish(self, run, validation):
        return {name: tensor.sum() for name, tensor in run.parameters.items()}


class Halves(Nothing):
    def finish(self, run, validation):
        return {name: tensor.float() for name, tensor in run.parameters.items()}


class Breaks(Nothing):
    def finish(self, run, validation):
        return {name: tensor / 0 for name, tensor in run.parameters.items()}


class Wavers(Nothing):
    def finish(self, run, validation):
        return {name: tensor + torch.rand(()) for name, tensor in run.parameters.items()}


class Scribbles(Nothing):
    def finish(self, run, validation):
        return {name: tensor.mul_(2) for name, tensor in run.parameters.items()}


@pytest.mark.parametrize(
    ("repair", "message"),
    [
        (Sideways(), r"shift is drawn in shape \(1, 2\), not one row per example"),
        (OneLoss(), r"losses have shape \(\), not one per example"),
        (Deaf(), "the draws of dropout are not read"),
        (Unread(), "the draws of shift are not read"),
        (Beside(), "an example's loss depends on the examples beside it"),
        (Endless(), "a loss is not finite"),
        (Overwrites(), "losses changed its inputs"),
        (Drops(), "finish changes the names of the parameters"),
        (Flattens(), r"finish changes the shape of embedding\.weight"),
        (Halves(), r"finish changes the dtype of embedding\.weight to torch\.float32"),
        (Breaks(), r"after finish, embedding\.weight is not finite"),
        (Wavers(), r"after finish, embedding\.weight is not the same the second time"),
        (Scribbles(), "finish wrote onto what it was given"),
    ],
)
def test_a_broken_repair_fails(repair, message):
    with pytest.raises(AssertionError, match=message):
        check_repair(repair)
