"""Relevance by an explicit backward pass: layer by layer, every single contribution written down."""

from dataclasses import dataclass, replace

import numpy as np
import torch

from holdfast.models.image.cells import Memory, Rectified
from holdfast.models.image.fronts import Convolved, Dense, Pixels
from holdfast.models.image.lenet import FeedForward
from holdfast.models.text.average import Projection
from holdfast.models.text.bilstm import Recurrence
from holdfast.models.text.cnn import Convolutions
from holdfast.models.text.rnn import Elman
from tests.reference.strips import numbers, sigmoid, softplus


@dataclass(frozen=True)
class Rule:
    """``kind`` is taylor, alphabeta, epsilon or gamma; ``entry`` is taylor's rule where something enters."""

    kind: str
    entry: str = "zplus"
    alpha: float = 1.0
    beta: float = 0.0
    epsilon: float = 0.0
    gamma: float = 0.0
    low: float = -1.0
    high: float = 1.0
    there: float = 1.0


class Signal:
    """Numbers that flow forward, and the relevance that flows back to them."""

    def __init__(self, value):
        self.value = np.asarray(value, dtype=np.float64)
        self.relevance = np.zeros_like(self.value)


def quotient(a, b):
    """a / b, and 0 where b is 0."""
    return np.divide(a, b, out=np.zeros(np.broadcast(a, b).shape), where=b != 0)


def shares(rule, terms, products, bias):
    """Of each output's relevance, the share that every input of every part is given.

    What makes a sum negative is what makes its negative positive: those outputs are turned round first.
    """
    total = sum(each.sum(0) for each in products) + bias
    ways = []
    for sign in (1.0, -1.0):
        turned = [(sign * weight, enters) for _, weight, enters in terms]
        ways.append(_of_positive(rule, turned, [sign * each for each in products], sign * bias))
    return [np.where(total >= 0, plain, turned) for plain, turned in zip(*ways, strict=True)]


def _of_positive(rule, terms, products, bias):
    """The shares of outputs that are not negative; of the others anything."""
    total = sum(each.sum(0) for each in products) + bias
    if rule.kind == "taylor":
        tops = [_top(rule, *term, each) for term, each in zip(terms, products, strict=True)]
        whole = sum(top.sum(0) for top in tops)
        return [quotient(top, whole) for top in tops]
    if rule.kind == "epsilon":
        return [quotient(each, total + rule.epsilon) for each in products]
    above, below = ([f(each, 0.0) for each in products] for f in (np.maximum, np.minimum))
    up, down = sum(each.sum(0) for each in above), sum(each.sum(0) for each in below)
    if rule.kind == "alphabeta":
        alpha = np.where(down == 0, 1.0, rule.alpha)
        beta = np.where(up == 0, 0.0, rule.beta)
        return [alpha * quotient(a, up) - beta * quotient(b, down) for a, b in zip(above, below, strict=True)]
    whole = total + rule.gamma * (up + np.maximum(bias, 0.0))
    return [quotient(each + rule.gamma * a, whole) for each, a in zip(products, above, strict=True)]


def _top(rule, weight, enters, products):
    if not enters or rule.entry == "zplus":
        return np.maximum(products, 0.0)
    if rule.entry == "wsquare":
        return weight**2 * rule.there
    return products - rule.low * np.maximum(weight, 0.0) - rule.high * np.minimum(weight, 0.0)


class Tape:
    """Remembers the layers in order; relevance goes through them in the other."""

    def __init__(self, rule):
        self.rule, self.layers = rule, []

    def affine(self, terms, bias):
        """``Σ x W + b``; each term is (signal, weight (inputs, outputs), whether it enters here)."""
        products = [signal.value[:, None] * weight for signal, weight, _ in terms]
        out = Signal(sum(each.sum(0) for each in products) + bias)

        def back():
            handed_on = shares(self.rule, terms, products, np.broadcast_to(bias, out.value.shape))
            for (signal, _, _), share in zip(terms, handed_on, strict=True):
                signal.relevance += share @ out.relevance

        self.layers.append(back)
        return out

    def pointwise(self, signal, function):
        """A ReLU or a tanh: all relevance passes."""
        out = Signal(function(signal.value))

        def back():
            signal.relevance += out.relevance

        self.layers.append(back)
        return out

    def mix(self, terms):
        """``Σ c ⊙ x`` with constants c: each term has the share of what it adds."""
        out = Signal(sum(factor * signal.value for signal, factor in terms))

        def back():
            for signal, factor in terms:
                signal.relevance += quotient(factor * signal.value, out.value) * out.relevance

        self.layers.append(back)
        return out

    def pool(self, signal, matrix):
        """``x M`` of a constant matrix."""
        products = signal.value[:, None] * matrix
        out = Signal(products.sum(0))

        def back():
            signal.relevance += quotient(products, out.value) @ out.relevance

        self.layers.append(back)
        return out

    def send_back(self, out, place):
        """All the evidence of one output goes back to where it came from."""
        out.relevance[place] = out.value[place]
        for back in reversed(self.layers):
            back()


def relu(x):
    return np.maximum(x, 0.0)


def conv_matrix(weight, height, width, margin):
    """A convolution as a matrix (C·H·W, O·h·w)."""
    filters, channels, kernel, _ = weight.shape
    rows, columns = (side + 2 * margin - kernel + 1 for side in (height, width))
    out = np.zeros((channels, height, width, filters, rows, columns))
    for row in range(rows):
        for column in range(columns):
            for down in range(kernel):
                for right in range(kernel):
                    i, j = row + down - margin, column + right - margin
                    if 0 <= i < height and 0 <= j < width:
                        out[:, i, j, :, row, column] = weight[:, :, down, right].T
    return out.reshape(channels * height * width, -1), (rows, columns)


def pool_matrix(channels, height, width):
    """Average pooling of 2 × 2, times 2."""
    rows, columns = -(-height // 2), -(-width // 2)
    out = np.zeros((channels, height, width, channels, rows, columns))
    for channel in range(channels):
        for i in range(height):
            for j in range(width):
                size = min(2, height - i // 2 * 2) * min(2, width - j // 2 * 2)
                out[channel, i, j, channel, i // 2, j // 2] = 2.0 / size
    return out.reshape(channels * height * width, -1), (rows, columns)


def layer(tape, module, signal, state=None, enters=False):
    """``ReLU(W x (+ V state) − softplus(b))``."""
    terms = [(signal, numbers(module.weight), enters)]
    if state is not None:
        terms.append((state, numbers(module.state), False))
    return tape.pointwise(tape.affine(terms, -softplus(numbers(module.offset))), relu)


def conv_layer(tape, module, signal, sides, margin, state=None, enters=False):
    """The same, convolved; returns the activations, pooled activations and their sides."""
    weight = numbers(module.weight)
    matrix, after = conv_matrix(weight, *sides, margin)
    terms = [(signal, matrix, enters)]
    if state is not None:
        terms.append((state, conv_matrix(numbers(module.state), *sides, margin)[0], False))
    bias = np.repeat(-softplus(numbers(module.offset)), after[0] * after[1])
    new = tape.pointwise(tape.affine(terms, bias), relu)
    halving, half = pool_matrix(len(weight), *after)
    return new, tape.pool(new, halving), half


def front(tape, module, strips):
    """The features of every strip, and whether they are still pixels."""
    leaves = [Signal(strip.reshape(-1)) for strip in strips]
    if isinstance(module, Pixels):
        return leaves, leaves, True
    features, states = [], [None, None]
    for leaf, strip in zip(leaves, strips, strict=True):
        x = leaf
        if isinstance(module, Dense):
            for place, one in enumerate(module.layers):
                x = layer(tape, one, x, enters=place == 0)
        else:
            assert isinstance(module, Convolved)
            sides = strip.shape
            for place, one in enumerate(module.layers):
                state = states[place] if module.literal else None
                margin = one.weight.shape[-1] // 2
                states[place], x, sides = conv_layer(tape, one, x, sides, margin, state, enters=place == 0)
            x = layer(tape, module.dense, x)
        features.append(x)
    return leaves, features, False


def cell(tape, module, features, enters):
    """The last state."""
    if isinstance(module, Rectified):
        back, hidden = Signal(np.zeros(module.recurrent.weight.shape[1])), Signal(np.zeros(module.width))
        for x in features:
            hidden = layer(tape, module.hidden, x, back, enters)
            back = layer(tape, module.recurrent, hidden)
        return hidden
    return _memory(tape, module, features) if isinstance(module, Memory) else _gated(tape, module, features)


def _memory(tape, module, features):
    n = module.width
    inputs, states = numbers(module.inputs), numbers(module.states)
    bias = numbers(module.offset)
    bias = -softplus(bias) if module.rectified else bias
    state, memory = Signal(np.zeros(n)), Signal(np.zeros(n))
    for x in features:
        drive = x.value @ inputs[:, : 3 * n] + state.value @ states[:, : 3 * n] + numbers(module.gates)
        write, keep, show = (sigmoid(drive[k * n : (k + 1) * n]) for k in range(3))
        candidate = tape.affine([(x, inputs[:, 3 * n :], False), (state, states[:, 3 * n :], False)], bias)
        new = tape.pointwise(candidate, relu if module.rectified else np.tanh)
        memory = tape.mix([(memory, keep), (new, write)])
        out = memory if module.rectified else tape.pointwise(memory, np.tanh)
        state = tape.mix([(out, show)])
    return state


def _gated(tape, module, features):
    n = module.width
    inputs, states, bias = numbers(module.inputs), numbers(module.states), numbers(module.bias)
    state = Signal(np.zeros(n))
    for x in features:
        drive = x.value @ inputs[:, : 2 * n] + state.value @ states[:, : 2 * n] + bias[: 2 * n]
        reset, stay = sigmoid(drive[:n]), sigmoid(drive[n:])
        terms = [(x, inputs[:, 2 * n :], False), (state, states[:, 2 * n :] * reset, False)]
        candidate = tape.affine(terms, bias[2 * n :] + reset * numbers(module.inner))
        state = tape.mix([(tape.pointwise(candidate, np.tanh), 1.0 - stay), (state, stay)])
    return state


def of_strips(model, strips, mask, rule, target):
    """The relevance of every pixel (T, H, w), and the evidence."""
    tape = Tape(rule)
    if isinstance(model, FeedForward):
        return _of_lenet(tape, model, strips, mask, target)
    leaves, features, pixels = front(tape, model.front, strips[mask])
    x = cell(tape, model.cell, features, pixels)
    for one in model.head:
        x = layer(tape, one, x)
    logits = tape.affine([(x, numbers(model.logits.weight), False)], -softplus(numbers(model.logits.offset)))
    tape.send_back(logits, target)
    scores = np.zeros_like(strips)
    for place, leaf in zip(np.flatnonzero(mask), leaves, strict=True):
        scores[place] = leaf.relevance.reshape(strips.shape[1:])
    return scores, logits.value[target]


def _of_lenet(tape, model, strips, mask, target):
    there = np.concatenate([np.full(strips.shape[1:], here) for here in mask], 1).reshape(-1, 1)
    tape.rule = replace(tape.rule, low=-1.0 * there, high=1.0 * there, there=there)  # no pixels in a hole
    image = np.concatenate(list(strips * mask[:, None, None]), 1)
    leaf = Signal(image.reshape(-1))
    _, x, sides = conv_layer(tape, model.first, leaf, image.shape, 2, enters=True)
    _, x, _ = conv_layer(tape, model.second, x, sides, 0 if min(sides) >= 5 else 2)
    for one in (model.third, model.fourth):
        x = layer(tape, one, x)
    logits = tape.affine([(x, numbers(model.logits.weight), False)], -softplus(numbers(model.logits.offset)))
    tape.send_back(logits, target)
    steps = np.split(leaf.relevance.reshape(image.shape), len(strips), 1)
    return np.stack(steps), logits.value[target]


def of_text(model, words, mask, rule, target):
    """The relevance of every word of one text (not a pair), attention held constant, and the evidence."""
    tape = Tape(rule)
    vectors = numbers(model.embedding.weight)[words[mask].numpy()]
    leaves = [Signal(vector) for vector in vectors]
    attention = numbers(model(_batch(words, mask)).attention[0][0])[mask.numpy()]
    at = np.flatnonzero(mask.numpy())
    states = _encode(tape, model.encoder, leaves, at)
    context = tape.mix([(state, weight) for state, weight in zip(states, attention, strict=True)])
    weight, bias = numbers(model.head.weight).T, numbers(model.head.bias)
    if weight.shape[1] == 1:
        weight, bias = np.concatenate([-weight, weight], 1), np.concatenate([-bias, bias])
    logits = tape.affine([(context, weight, False)], bias)
    tape.send_back(logits, target)
    scores = np.zeros(len(words))
    scores[at] = [leaf.relevance.sum() for leaf in leaves]
    return scores, logits.value[target]


def _batch(words, mask):
    from holdfast.core.records import Batch

    return Batch(words[None], mask[None])


def _encode(tape, encoder, leaves, at):
    if isinstance(encoder, Projection):
        weight, bias = numbers(encoder.project.weight).T, numbers(encoder.project.bias)
        return [tape.pointwise(tape.affine([(leaf, weight, True)], bias), np.tanh) for leaf in leaves]
    if isinstance(encoder, Elman):
        return _elman(tape, encoder, leaves)
    if isinstance(encoder, Convolutions):
        return _convolve(tape, encoder, leaves, at)
    assert isinstance(encoder, Recurrence)
    forward, back = (_lstm(tape, encoder, way, leaves[::step]) for way, step in ((0, 1), (1, -1)))
    n = encoder.hidden
    left, right = np.eye(n, 2 * n), np.eye(n, 2 * n, n)
    placed = ((tape.pool(a, left), tape.pool(b, right)) for a, b in zip(forward, back[::-1], strict=True))
    return [tape.mix([(a, 1.0), (b, 1.0)]) for a, b in placed]


def _elman(tape, encoder, leaves):
    state, states = Signal(np.zeros(encoder.width)), []
    for leaf in leaves:
        terms = [(leaf, numbers(encoder.inputs), True), (state, numbers(encoder.states), False)]
        state = tape.pointwise(tape.affine(terms, numbers(encoder.bias)), np.tanh)
        states.append(state)
    return states


def _lstm(tape, encoder, way, leaves):
    n = encoder.hidden
    inputs, states = numbers(encoder.inputs[way]), numbers(encoder.states[way]).T
    bias = numbers(encoder.bias[way])[0]
    state, memory, outputs = Signal(np.zeros(n)), Signal(np.zeros(n)), []
    for x in leaves:
        drive = x.value @ inputs[:, : 3 * n] + state.value @ states[:, : 3 * n] + bias[: 3 * n]
        write, keep, show = (sigmoid(drive[k * n : (k + 1) * n]) for k in range(3))
        terms = [(x, inputs[:, 3 * n :], True), (state, states[:, 3 * n :], False)]
        new = tape.pointwise(tape.affine(terms, bias[3 * n :]), np.tanh)
        memory = tape.mix([(memory, keep), (new, write)])
        state = tape.mix([(tape.pointwise(memory, np.tanh), show)])
        outputs.append(state)
    return outputs


def _convolve(tape, encoder, leaves, at):
    blocks = torch.split(encoder.taps.detach(), encoder.sizes, 1)
    taps = {}
    for offset, block in zip(range(-encoder.reach, encoder.reach + 1), blocks, strict=True):
        taps[offset] = np.zeros((block.shape[0], encoder.width))
        taps[offset][:, : block.shape[1]] = numbers(block)
    states = []
    for here in at:
        near = [
            (leaf, taps[there - here], True)
            for leaf, there in zip(leaves, at, strict=True)
            if there - here in taps
        ]
        states.append(tape.pointwise(tape.affine(near, numbers(encoder.bias)), relu))
    return states
