"""Naive twins of the strip models: one image at a time, step by step, pixel by pixel, in double precision."""

import math

import numpy as np

from holdfast.models.image.cells import Memory, Rectified
from holdfast.models.image.fronts import Convolved, Dense, Pixels
from holdfast.models.image.gru import Gated
from holdfast.models.image.lenet import FeedForward


def numbers(tensor):
    """A tensor as plain numbers."""
    return tensor.detach().double().numpy()


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def softplus(b):
    return np.array([math.log(1.0 + math.exp(value)) for value in b])


def weighted(x, weight):
    """``Σ_i x_i W_ik``, output by output."""
    return np.array([sum(x[i] * weight[i, k] for i in range(len(x))) for k in range(weight.shape[1])])


def dense(layer, x, state=None):
    """``Wx (+ V state) − softplus(b)``."""
    total = weighted(x, numbers(layer.weight)) - softplus(numbers(layer.offset))
    return total if state is None else total + weighted(state, numbers(layer.state))


def convolved(maps, weight, margin):
    """Every filter at every place; what lies outside is 0."""
    filters, channels, kernel, _ = weight.shape
    height, width = (side + 2 * margin - kernel + 1 for side in maps.shape[1:])
    out = np.zeros((filters, height, width))
    for row in range(height):
        for column in range(width):
            for down in range(kernel):
                for right in range(kernel):
                    i, j = row + down - margin, column + right - margin
                    if 0 <= i < maps.shape[1] and 0 <= j < maps.shape[2]:
                        for channel in range(channels):
                            out[:, row, column] += maps[channel, i, j] * weight[:, channel, down, right]
    return out


def conv(layer, maps, state=None, margin=None):
    weight = numbers(layer.weight)
    margin = weight.shape[-1] // 2 if margin is None else margin
    total = convolved(maps, weight, margin) - softplus(numbers(layer.offset))[:, None, None]
    return total if state is None else total + convolved(state, numbers(layer.state), margin)


def pooled(maps):
    """The mean of each 2 × 2 window, of as many as there are, times 2."""
    channels, height, width = maps.shape
    out = np.zeros((channels, math.ceil(height / 2), math.ceil(width / 2)))
    for channel in range(channels):
        for row in range(out.shape[1]):
            for column in range(out.shape[2]):
                window = maps[channel, 2 * row : 2 * row + 2, 2 * column : 2 * column + 2]
                out[channel, row, column] = 2.0 * window.sum() / window.size
    return out


def relu(x):
    return np.maximum(x, 0.0)


def front(module, strips):
    """The features of each of these strips (T, H, w), one after another."""
    if isinstance(module, Pixels):
        return [strip.reshape(-1) for strip in strips]
    if isinstance(module, Dense):
        return [_dense_front(module, strip) for strip in strips]
    assert isinstance(module, Convolved)
    features, own = [], [None, None]
    for strip in strips:
        maps = strip[None]
        for place, layer in enumerate(module.layers):
            state = own[place] if module.literal else None
            new = relu(conv(layer, maps, state))
            own[place], maps = new, pooled(new)
        features.append(relu(dense(module.dense, maps.reshape(-1))))
    return features


def _dense_front(module, strip):
    x = strip.reshape(-1)
    for layer in module.layers:
        x = relu(dense(layer, x))
    return x


def cell(module, features):
    """The last state."""
    if isinstance(module, Rectified):
        back = np.zeros(module.recurrent.weight.shape[1])
        hidden = np.zeros(module.width)
        for x in features:
            hidden = relu(dense(module.hidden, x, back))
            back = relu(dense(module.recurrent, hidden))
        return hidden
    return _memory(module, features) if isinstance(module, Memory) else _gated(module, features)


def _memory(module, features):
    state, memory, n = np.zeros(module.width), np.zeros(module.width), module.width
    bias = numbers(module.offset)
    bias = np.concatenate([numbers(module.gates), -softplus(bias) if module.rectified else bias])
    for x in features:
        drive = weighted(x, numbers(module.inputs)) + weighted(state, numbers(module.states)) + bias
        write, keep, show = (sigmoid(drive[k * n : (k + 1) * n]) for k in range(3))
        candidate = relu(drive[3 * n :]) if module.rectified else np.tanh(drive[3 * n :])
        memory = keep * memory + write * candidate
        state = show * (memory if module.rectified else np.tanh(memory))
    return state


def _gated(module, features):
    assert isinstance(module, Gated)
    state, n = np.zeros(module.width), module.width
    for x in features:
        of_x = weighted(x, numbers(module.inputs)) + numbers(module.bias)
        of_state = weighted(state, numbers(module.states))
        reset, stay = (sigmoid(of_x[k * n : (k + 1) * n] + of_state[k * n : (k + 1) * n]) for k in range(2))
        candidate = np.tanh(of_x[2 * n :] + reset * (of_state[2 * n :] + numbers(module.inner)))
        state = (1 - stay) * candidate + stay * state
    return state


def classify(model, strips, mask):
    """The logits of one image (T, H, w); strips that do not exist are left out, in LeNet they are 0."""
    if isinstance(model, FeedForward):
        return _lenet(model, strips * mask[:, None, None])
    x = cell(model.cell, front(model.front, strips[mask]))
    for layer in model.head:
        x = relu(dense(layer, x))
    return dense(model.logits, x)


def _lenet(model, strips):
    image = np.concatenate(list(strips), 1)[None]
    maps = pooled(relu(conv(model.first, image)))
    margin = 0 if min(maps.shape[1:]) >= 5 else 2
    x = pooled(relu(conv(model.second, maps, margin=margin))).reshape(-1)
    for layer in (model.third, model.fourth):
        x = relu(dense(layer, x))
    return dense(model.logits, x)
