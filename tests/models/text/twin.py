"""A model beside its naive twin, on whatever Hypothesis thinks of."""

import torch
from hypothesis import strategies as st

from holdfast.core.records import Batch
from holdfast.data.base import Task
from holdfast.testing.model import build, example
from tests.reference.models import classify, encode

TWO, PAIR = Task(12, ("no", "yes")), Task(12, ("a", "b", "c"), pair=True)
TASKS = (TWO, Task(12, ("a", "b", "c")), PAIR)


@st.composite
def texts(draw):
    """Words with holes, and a query."""
    length, word = draw(st.integers(1, 9)), st.integers(1, 11)
    words = draw(st.lists(word, min_size=length, max_size=length))
    mask = draw(st.lists(st.booleans(), min_size=length, max_size=length).filter(any))
    return torch.tensor(words), torch.tensor(mask), torch.tensor(draw(st.lists(word, min_size=1, max_size=4)))


def assert_twin(architecture, text, seed):
    """Logits and attention are the twin's for two classes, three classes, and pairs."""
    words, mask, query = text
    for task in TASKS:
        model = build(architecture, task, seed)
        batch = Batch(words[None], mask[None])
        if task.pair:
            exists = torch.ones(1, len(query), dtype=torch.bool)
            batch = Batch(words[None], mask[None], query=query[None], query_mask=exists)
        trace = model(batch)
        logits, weights = classify(model, words, mask, query if task.pair else None)
        torch.testing.assert_close(trace.logits[0], logits, rtol=1e-10, atol=1e-12)
        expected = torch.tensor(weights, dtype=torch.float64)
        torch.testing.assert_close(trace.attention[0][0][mask], expected, rtol=1e-10, atol=1e-12)


def assert_states(architecture):
    """Every state is the twin's, and 0 where nothing is."""
    model, batch = build(architecture, TWO), example(TWO)
    trace = model(batch)
    for row in range(4):
        mask = batch.mask[row]
        states, _ = encode(model.encoder, trace.embedded[row], mask)
        torch.testing.assert_close(trace.states[row][mask], states, rtol=1e-10, atol=1e-12)
        assert not trace.states[row][~mask].any()
