"""Our models as captum wants them: modules, whose ReLUs are modules used once each."""

import torch
import torch.nn.functional as F
from torch import nn

from holdfast.core.records import Edit
from holdfast.core.rules import ACTIVATIONS, Rules, affine
from tests.explain.cases import run_of


class Modules(Rules):
    """Plain layers, the next module for every ReLU, and gates without a slope."""

    def __init__(self, relus):
        self.relus = iter(relus)

    def affine(self, parts, bias):
        return affine(None, parts, bias)

    def relu(self, x):
        # captum can hook no tensor without a gradient: at the first step the state depends on nothing
        return next(self.relus)(x) if x.requires_grad else x.relu()

    def activation(self, name, x):
        return ACTIVATIONS[name](x)

    def constant(self, x):
        return x.detach()


class Guidable(nn.Module):
    """The evidence for each class as a function of what is embedded, its ReLUs in reach of captum's hooks."""

    def __init__(self, model, batch):
        super().__init__()
        self.run, self.batch = run_of(model), batch
        self.relus = nn.ModuleList(nn.ReLU() for _ in range(8 * batch.inputs.shape[1] + 8))

    def forward(self, embedded):
        edit = Edit(embedded=embedded, rules=Modules(self.relus))
        return self.run(self.batch, edit).logits


def plain(model, batch):
    """The evidence for each class as a function of what is embedded."""
    run = run_of(model)
    return lambda embedded: run.evidence(run(batch, Edit(embedded=embedded)).logits)


def at(model, batch):
    """The embedded batch, as captum wants it."""
    return model.embed(batch).detach().requires_grad_()


def rectifiers(out):
    """How many ReLUs lie between the input and ``out``."""
    todo, seen = [out.grad_fn], set()
    while todo:
        node = todo.pop()
        if node is not None and node not in seen:
            seen.add(node)
            todo += [before for before, _ in node.next_functions]
    return sum("Relu" in node.name() for node in seen)


class Net(nn.Module):
    """A LeNet of torch's own modules with the weights of ours; the image goes in as a whole.

    Our pooling is the average times 2, which goes into the weights of the layer behind it.
    """

    def __init__(self, model):
        super().__init__()
        scales = (1.0, 2.0, 2.0, 1.0, 1.0)
        layers = (model.first, model.second, model.third, model.fourth, model.logits)
        self.layers = nn.ModuleList(map(self._module, layers, scales))
        self.relus = nn.ModuleList(nn.ReLU() for _ in range(4))
        self.pools = nn.ModuleList(nn.AvgPool2d(2, ceil_mode=True) for _ in range(2))

    def forward(self, x):
        for place, layer in enumerate(self.layers[:-1]):
            x = self.relus[place](layer(x if place != 2 else x.flatten(1)))
            x = self.pools[place](x) if place < 2 else x
        return self.layers[-1](x)

    @staticmethod
    def _module(layer, scale):
        weight = layer.weight.detach() * scale
        if weight.dim() == 2:
            module = nn.Linear(*weight.shape, dtype=weight.dtype)
            weight = weight.T.clone()
        else:
            margin = 0 if layer.op is F.conv2d else 2
            module = nn.Conv2d(*weight.shape[1::-1], 5, padding=margin, dtype=weight.dtype)
        module.weight.data, module.bias.data = weight, -F.softplus(layer.offset.detach())
        return module


def whole(task, low=-1.0):
    """Images without holes, pixels from ``low`` to 1, and the targets to explain."""
    draws = torch.rand(4, *task.strip, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    return low + (1.0 - low) * draws, torch.arange(4) % len(task.classes)
