"""A strip model beside its naive twin, on whatever Hypothesis thinks of."""

import torch
from hypothesis import strategies as st

from holdfast.core.records import Batch
from holdfast.data.base import Task
from holdfast.testing.model import build
from tests.reference.strips import classify

CLASSES = ("a", "b", "c")
SMALL = Task(0, CLASSES, strip=(4, 8, 2))
TEN = tuple("0123456789")


@st.composite
def images(draw):
    """Strips of several shapes, with holes; sometimes a strip of zeros."""
    steps, width = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    mask = draw(st.lists(st.booleans(), min_size=steps, max_size=steps))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 99)))
    strips = 2 * torch.rand(steps, 8, width, generator=generator, dtype=torch.float64) - 1
    strips[draw(st.integers(0, steps - 1))] *= draw(st.sampled_from([1.0, 0.0]))
    return strips, torch.tensor(mask)


def count(architecture, strip):
    """How many weights a model of ten classes has."""
    return sum(p.numel() for p in architecture.build(Task(0, TEN, strip=strip)).parameters())


def shake(model, seed):
    """Move every parameter, so that no bias is where it started and every sign occurs."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn(parameter.shape, generator=generator, dtype=parameter.dtype))
    return model


def assert_twin(architecture, image, seed):
    """The logits are the twin's."""
    strips, mask = image
    model = shake(build(architecture, Task(0, CLASSES, strip=tuple(strips.shape)), seed), seed)
    logits = model(Batch(strips[None], mask[None])).logits[0]
    expected = torch.tensor(classify(model, strips.numpy(), mask.numpy()))
    torch.testing.assert_close(logits.detach(), expected, rtol=1e-10, atol=1e-12)
