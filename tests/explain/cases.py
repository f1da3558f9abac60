"""What the explainers' tests share: one canonical partner, and a batch beside its naive twin."""

import torch
from hypothesis import strategies as st

from holdfast.core.records import Batch, Edit
from holdfast.data.base import Task
from holdfast.explain.base import log_odds
from holdfast.models.base import Run
from holdfast.models.text.cnn import Cnn
from holdfast.testing.model import build

CNN = Cnn(filters=4, dim=5)
TWO, PAIR = Task(12, ("no", "yes")), Task(12, ("a", "b", "c"), pair=True)
TARGET = torch.tensor([0, 1, 1, 0, 1])


def run_of(model):
    """The model as a run, its parameters detached."""
    return Run(model, {name: tensor.detach() for name, tensor in model.named_parameters()})


def captum_forward(model, batch):
    """The log-odds of :data:`TARGET` as captum wants it: a function of the embedded batch."""

    def forward(embedded):
        times = len(embedded) // len(batch)
        many = Batch(batch.inputs.repeat(times, 1), batch.mask.repeat(times, 1))
        return log_odds(model(many, Edit(embedded=embedded)).logits, TARGET.repeat(times))

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
