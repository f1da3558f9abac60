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

    def falls(noise):
        leaf = noise.clone().requires_grad_()
        value = margin(leaf)
        (slope,) = torch.autograd.grad(value, leaf)
        for place in range(len(slope)):
            if place not in places:
                slope[place] = 0.0
        return float(value.detach()), slope, math.sqrt(sum(float(x) ** 2 for x in slope.flatten()))

    noise, low, high, found = torch.zeros_like(embedded), 0.0, most, False
    first, _, steep = falls(noise)
    radius = min(most, 1.5 * first / steep) if steep > 0 else most
    for number in range(rounds):
        noise = cut(noise, radius)
        for _ in range(steps):
            _, slope, size = falls(noise)
            noise = cut(noise - slope * (radius / size if size > 0 else 0.0), radius)
        if float(margin(noise)) < 0:
            high, found = radius, True
        else:
            low = radius
        wider = most if number == rounds - 2 else min(most, 4 * radius)
        radius = (low + high) / 2 if found else wider
    return high
