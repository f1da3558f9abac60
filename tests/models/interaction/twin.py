"""Histories for the recommenders' tests, and the twin's opinion of a model."""

import torch
from hypothesis import strategies as st

from holdfast.core.records import Batch
from holdfast.data.base import Task
from holdfast.testing.model import build
from tests.reference import recommend

TASK = Task(12, (), length=9)
NEAR = {"rtol": 1e-9, "atol": 1e-9}


@st.composite
def histories(draw):
    """A batch of one to three histories of up to five columns, with holes wherever they fall."""
    rows, length = draw(st.integers(1, 3)), draw(st.integers(1, 5))
    seed = draw(st.integers(0, 99))
    dice = torch.Generator().manual_seed(seed)

    def some(*shape):
        return torch.randint(1, TASK.vocabulary, shape, generator=dice)

    mask = torch.tensor(draw(st.lists(st.booleans(), min_size=rows * length, max_size=rows * length)))
    return Batch(
        some(rows, length),
        mask.view(rows, length),
        candidates=some(rows, 4),
        following=some(rows, length),
        negatives=some(rows, length, 2),
    )


def assert_next_item(architecture, batch, seed, states_of):
    """Logits and losses of a model that predicts what came next, against loops; ``states_of`` is the twin."""
    model = build(architecture, TASK, seed)
    table, trace, losses = model.embedding.weight, model(batch), model.losses(batch).tolist()
    for row in range(len(batch)):
        items, mask = batch.inputs[row].tolist(), batch.mask[row].tolist()
        hidden, maps = states_of(model, items, mask)
        wanted = [recommend.score(table, hidden[-1], c) for c in batch.candidates[row].tolist()]
        torch.testing.assert_close(trace.logits[row].tolist(), wanted, **NEAR)
        for ours, theirs in zip(trace.attention, maps, strict=True):
            torch.testing.assert_close(ours[row].tolist(), theirs, **NEAR)
        terms = [
            recommend.loss(architecture.loss, table, hidden[t], int(batch.following[row, t]), k)
            for t, k in enumerate(batch.negatives[row].tolist())
            if mask[t]
        ]
        assert abs(losses[row] - sum(terms) / len(items)) < 1e-9
