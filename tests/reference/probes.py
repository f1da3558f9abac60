"""Comprehensiveness, sufficiency and flipping noise once more, naively: one example, loops, float64."""

import math

import torch


def top(scores, share):
    """The places of the highest scores, a share in percent of all of them, rounded up; ties by place."""
    order = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    return set(order[: math.ceil(share / 100 * len(scores) - 1e-9)])


def comprehensiveness(predict, scores, shares):
    """Mean of f(x) − f(x without the top); ``predict`` takes the places that stay, of which there is one at
    least."""
    places, total = set(range(len(scores))), 0.0
    for share in shares:
        rest = places - top(scores, share)
        if not rest:
            rest = {max(places, key=lambda place: (-scores[place], place))}
        total += predict(places) - predict(rest)
    return total / len(shares)


def sufficiency(predict, scores, shares):
    """Mean of f(x) − f(the top alone)."""
    places = set(range(len(scores)))
    return sum(predict(places) - predict(top(scores, share)) for share in shares) / len(shares)


def flipping_noise(logits, embedded, places, most, rounds, steps):
    """Bisection over the radius, projected gradient steps from the noise of the round before; ``logits``
    takes an embedded input and gives one number a class, ``embedded`` is (T, D)."""
    plain = logits(embedded).tolist()
    guess = plain.index(max(plain))

    def margin(noise):
        each = logits(embedded + noise)
        return each[guess] - max(value for c, value in enumerate(each) if c != guess)

    def cut(noise, radius):
        size = math.sqrt(sum(float(x) ** 2 for x in noise.flatten()))
        return noise if size <= radius else noise * (radius / size)

    noise, low, high = torch.zeros_like(embedded), 0.0, most
    for number in range(rounds + 1):
        radius = most if number == 0 else (low + high) / 2
        noise = cut(noise, radius)
        for _ in range(steps):
            leaf = noise.clone().requires_grad_()
            (slope,) = torch.autograd.grad(margin(leaf), leaf)
            for place in range(len(slope)):
                if place not in places:
                    slope[place] = 0.0
            size = math.sqrt(sum(float(x) ** 2 for x in slope.flatten()))
            noise = cut(noise - slope * (radius / size if size > 0 else 0.0), radius)
        if float(margin(noise)) < 0:
            high = radius
        else:
            low = radius
    return high
