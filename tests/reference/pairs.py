"""Models of a user and one candidate, in loops and float64."""

import math


def dot(a, b):
    """``Σ a_k b_k``."""
    return sum(float(x) * float(y) for x, y in zip(a, b, strict=True))


def linear(layer, x):
    """``W x + b``."""
    bias = [0.0] * len(layer.weight) if layer.bias is None else layer.bias.tolist()
    return [dot(row, x) + b for row, b in zip(layer.weight.tolist(), bias, strict=True)]


def relu(x):
    """``max(x, 0)`` of each."""
    return [max(v, 0.0) for v in x]


def tower(layers, x):
    """Every layer with a ReLU behind it."""
    for layer in layers:
        if hasattr(layer, "weight"):
            x = relu(linear(layer, x))
    return x


def others(items, mask, candidate):
    """The places of a history that count: they exist, and are not the candidate."""
    return [t for t, item in enumerate(items) if mask[t] and item != candidate]


def pooled(model, items, weights, candidate):
    """``Σ_j a_j (p_j ⊙ q_i)``."""
    q = model.embedding_target.weight[candidate].tolist()
    total = [0.0] * len(q)
    for t, weight in weights.items():
        p = model.embedding.weight[items[t]].tolist()
        total = [s + weight * a * b for s, a, b in zip(total, p, q, strict=True)]
    return total


def energy(p, q, weight, bias, h):
    """``Σ_k h_k ReLU(Σ_d W_kd p_d q_d + b_k)``."""
    product = [a * b for a, b in zip(p, q, strict=True)]
    return dot(h, relu([dot(row, product) + b for row, b in zip(weight, bias, strict=True)]))


def history_weights(energies, allowed, beta):
    """``exp(f) / [Σ exp(f)]^β`` of the places that count, 0 at the others."""
    total = sum(math.exp(f) for f, counts in zip(energies, allowed, strict=True) if counts)
    return [math.exp(f) / total**beta if counts else 0.0 for f, counts in zip(energies, allowed, strict=True)]


def deepicf(model, items, mask, candidate):
    """The outputs of a pair, and the weight of each place."""
    q = model.embedding_target.weight[candidate].tolist()
    vectors = [model.embedding.weight[item].tolist() for item in items]
    parameters = [t.tolist() for t in (model.attend.weight, model.attend.bias, model.energy)]
    places = others(items, mask, candidate)
    energies = [energy(p, q, *parameters) for p in vectors]
    weights = history_weights(energies, [t in places for t in range(len(items))], model.beta)
    summed = pooled(model, items, {t: weights[t] for t in places}, candidate)
    outputs = linear(model.last, tower(model.tower, summed))
    outputs[-1] += model.embedding_bias.weight[candidate].item()
    return outputs, weights


def fism(model, items, mask, candidate):
    """The output of a pair; every place has the same weight."""
    places = others(items, mask, candidate)
    weights = {t: len(places) ** -model.alpha for t in places}
    score = sum(pooled(model, items, weights, candidate))
    return [score + model.embedding_bias.weight[candidate].item()], None


def product(model, user, candidate):
    """``p_u ⊙ q_i``."""
    p, q = model.embedding_user.weight[user].tolist(), model.embedding_item.weight[candidate].tolist()
    return [a * b for a, b in zip(p, q, strict=True)]


def top(model, user, candidate):
    """The tower's last layer: its first reads both vectors, one after the other."""
    p, q = model.embedding_user.weight[user].tolist(), model.embedding_item.weight[candidate].tolist()
    wide = [u + i for u, i in zip(model.user.weight.tolist(), model.item.weight.tolist(), strict=True)]
    first = [dot(row, p + q) + b for row, b in zip(wide, model.user.bias.tolist(), strict=True)]
    return tower(model.tower, relu(first))


def gmf(model, user, candidate):
    """The output of a pair."""
    return linear(model.last, product(model, user, candidate))


def ncf(model, user, candidate):
    """The output of a pair."""
    return linear(model.last, top(model, user, candidate))


def neumf(model, user, candidate):
    """The output of a pair."""
    both = product(model.factors, user, candidate) + top(model.tower, user, candidate)
    return linear(model.last, both)


def logits(outputs):
    """One for each class: a single output z is (0, z)."""
    return [0.0, *outputs] if len(outputs) == 1 else outputs


def probabilities(outputs):
    """Softmax over the classes."""
    each = [math.exp(v) for v in logits(outputs)]
    return [v / sum(each) for v in each]


def odds(outputs):
    """``log p/(1 − p)`` of the last class."""
    p = probabilities(outputs)
    return math.log(p[-1] / sum(p[:-1]))


def loss(outputs_of, following, negatives, labels, weights):
    """One row: Σ over columns with an item of w_y·−log p_y, of the item and of its negatives, by columns.

    ``outputs_of(item)`` are the outputs of the pair.
    """
    total = 0.0
    for column, item in enumerate(following):
        if item == 0:
            continue
        classes = len(logits(outputs_of(item)))
        taken = classes - 1 if labels is None else labels[column]
        for other, y in [(item, taken), *((n, classes - 2) for n in negatives[column])]:
            total -= weights[y] * math.log(probabilities(outputs_of(other))[y])
    return total / len(following)
