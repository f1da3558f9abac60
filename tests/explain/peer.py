"""Strip models as captum wants them: plain modules, with a ReLU of its own at every place."""

import torch
import torch.nn.functional as F
from torch import nn


class Peer(nn.Module):
    """LeNet or a rectified cell over images without holes, its ReLUs as modules, used once each."""

    def __init__(self, model, steps):
        super().__init__()
        self.model = model
        self.relus = nn.ModuleList(nn.ReLU() for _ in range(8 * steps + 8))

    def forward(self, x):
        todo = iter(self.relus)

        def dense(layer, x, state=None):
            y = x @ layer.weight - F.softplus(layer.offset)
            return y if state is None else y + state @ layer.state

        model = self.model
        if type(model).__name__ == "FeedForward":
            image = x.transpose(1, 2).flatten(2)[:, None]
            x = pool(next(todo)(conv(model.first, image, 2)))
            x = pool(next(todo)(conv(model.second, x, 0 if min(x.shape[-2:]) >= 5 else 2))).flatten(1)
            for layer in (model.third, model.fourth):
                x = next(todo)(dense(layer, x))
            return dense(model.logits, x)
        back = x.new_zeros(len(x), model.cell.recurrent.weight.shape[1])
        for strip in x.unbind(1):
            here = strip.flatten(1)
            for layer in getattr(model.front, "layers", ()):
                here = next(todo)(dense(layer, here))
            hidden = next(todo)(dense(model.cell.hidden, here, back))
            back = next(todo)(dense(model.cell.recurrent, hidden))
        for layer in model.head:
            hidden = next(todo)(dense(layer, hidden))
        return dense(model.logits, hidden)


def conv(layer, x, margin):
    """A convolution and its bias."""
    return F.conv2d(x, layer.weight, padding=margin) - F.softplus(layer.offset)[:, None, None]


def pool(x):
    """Average pooling, times 2."""
    return F.avg_pool2d(x, 2, ceil_mode=True) * 2.0


def whole(task, seed=0):
    """Images without holes, and the targets to explain."""
    generator = torch.Generator().manual_seed(seed)
    images = 2 * torch.rand(4, *task.strip, generator=generator, dtype=torch.float64) - 1
    return images, torch.arange(4) % len(task.classes)
