"""Cutting and adding up, pixel by pixel."""

import torch


def _pixel(split, row, y, x):
    """The byte at (y, x) of the images side by side."""
    width = split.images.shape[2]
    return int(split.images[split.blocks[row, x // width], y, x % width])


def strips(split, row):
    steps, height, width = split.strip
    found = torch.zeros(steps, height, width, dtype=torch.double)
    for t in range(steps):
        for y in range(height):
            for x in range(width):
                found[t, y, x] = _pixel(split, row, y, t * width + x) / split.top * 2 - 1
    return found


def ink(split, row):
    return torch.stack([((strip + 1) / 2).sum() for strip in strips(split, row)])


def picture(flat, strip):
    steps, height, width = strip
    found = torch.zeros(height, steps * width, dtype=torch.double)
    for place, value in enumerate(flat.tolist()):
        t, rest = divmod(place, height * width)
        y, x = divmod(rest, width)
        found[y, t * width + x] = value
    return found


def time(flat, strip):
    steps, height, width = strip
    found = [0.0] * steps
    for place, value in enumerate(flat.tolist()):
        found[place // (height * width)] += value
    return torch.tensor(found, dtype=torch.double)


def blocks(flat, strip, count):
    image = picture(flat, strip)
    found = [0.0] * count
    for x in range(image.shape[1]):
        found[x * count // image.shape[1]] += float(image[:, x].sum())
    return torch.tensor(found, dtype=torch.double)
