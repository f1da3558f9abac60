"""What the explainers' tests share: one canonical partner, and a batch beside its naive twin."""

from dataclasses import replace

import torch
from hypothesis import strategies as st

from holdfast.core.catalogue import catalogue
from holdfast.core.records import Batch, Edit
from holdfast.data.base import Task
from holdfast.models.odds import log_odds
from holdfast.models.run import Run
from holdfast.models.text.average import Average
from holdfast.models.text.bilstm import Bilstm
from holdfast.models.text.cnn import Cnn
from holdfast.models.text.rnn import Rnn
from holdfast.testing.model import build
from tests.models.image.twin import images, shake

CNN = Cnn(filters=4, dim=5)
TWO, PAIR = Task(12, ("no", "yes")), Task(12, ("a", "b", "c"), pair=True)
TARGET = torch.tensor([0, 1, 1, 0, 1])


def run_of(model):
    """The model as a run, its parameters detached."""
    return Run(model, {name: tensor.detach() for name, tensor in model.named_parameters()})


def captum_forward(model, batch, target=TARGET):
    """The target's log-odds as captum wants them: a function of the embedded batch."""

    def forward(embedded):
        times = len(embedded) // len(batch)
        many = Batch(batch.inputs.repeat(times, 1), batch.mask.repeat(times, 1))
        return log_odds(model(many, Edit(embedded=embedded)).logits, target.repeat(times))

    return forward


@st.composite
def cases(draw):
    """A model, one text with holes, a target."""
    length, classes = draw(st.integers(1, 7)), draw(st.integers(2, 4))
    words = torch.tensor(draw(st.lists(st.integers(1, 11), min_size=length, max_size=length)))
    mask = torch.tensor(draw(st.lists(st.booleans(), min_size=length, max_size=length)))
    model = build(CNN, Task(12, tuple("abcd"[:classes])), seed=draw(st.integers(0, 9)))
    return model, Batch(words[None], mask[None]), draw(st.integers(0, classes - 1))


def assert_twin(explainer, twin, case):
    """The scores are those of the naive twin."""
    model, batch, target = case
    scores = explainer.scores(run_of(model), batch, torch.tensor([target]))[0]
    expected = torch.tensor(twin(model, batch, target), dtype=torch.float64)
    torch.testing.assert_close(scores, expected, rtol=1e-9, atol=1e-11)


STRIPS = Task(0, ("a", "b", "c"), strip=(4, 8, 2))
CELLS = [cls for cls in catalogue("models").values() if "image" in cls.reads]
SPOKEN = [cls for cls in CELLS if "text" in cls.reads]
TEXTS = (CNN, Average(hidden=6, dim=5), Rnn(hidden=6, dim=5), Bilstm(hidden=6, dim=5))


def evidence(model, batch, target):
    """What speaks for the target, by a plain pass."""
    return model.evidence(model(batch).logits).gather(1, target[:, None])[:, 0].detach()


@st.composite
def strips(draw):
    """A batch of one image in strips of several shapes, with holes, sometimes a strip of zeros; a seed."""
    image, mask = draw(images())
    return Batch(image[None], mask[None]), draw(st.integers(0, 99))


def cell_of(cls, batch, seed, scale=1.0):
    """A cell for these strips, every parameter moved, its weights larger by ``scale``."""
    model = shake(build(cls(bias=1e-3), replace(STRIPS, strip=tuple(batch.inputs.shape[1:])), seed), seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(scale if parameter.dim() > 1 else 1.0)
    return model
