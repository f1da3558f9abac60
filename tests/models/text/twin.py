"""A model beside its naive twin, on whatever Hypothesis thinks of."""

from dataclasses import replace

import torch
from hypothesis import strategies as st

from holdfast.core.records import Batch
from holdfast.data.base import Task
from holdfast.testing.model import build, example
from tests.reference.models import classify, encode, softmax_among

TWO, PAIR = Task(12, ("no", "yes")), Task(12, ("a", "b", "c"), pair=True)
CLOZE = Task(12, ("@a", "@b", "@c", "@d"), pair=True, cloze=True)
TASKS = (TWO, Task(12, ("a", "b", "c")), PAIR, CLOZE)


@st.composite
def texts(draw):
    """Words with holes, and a query."""
    length, word = draw(st.integers(1, 9)), st.integers(1, 11)
    words = draw(st.lists(word, min_size=length, max_size=length))
    mask = draw(st.lists(st.booleans(), min_size=length, max_size=length).filter(any))
    return torch.tensor(words), torch.tensor(mask), torch.tensor(draw(st.lists(word, min_size=1, max_size=4)))


def assert_twin(architecture, text, seed):
    """Logits and attention are the twin's for two classes, three classes, pairs, and cloze questions."""
    words, mask, query = text
    for task in TASKS:
        model = build(architecture, task, seed)
        batch = Batch(words[None], mask[None])
        if task.pair:
            exists = torch.ones(1, len(query), dtype=torch.bool)
            batch = Batch(words[None], mask[None], query=query[None], query_mask=exists)
        if task.cloze:
            batch = replace(batch, options=torch.tensor([[True, False, seed % 2 == 0, True]]))
        trace = model(batch)
        logits, weights = classify(model, words, mask, query if task.pair else None)
        if task.cloze:
            assert_options(trace.logits[0], logits, batch.options[0].tolist())
            continue
        torch.testing.assert_close(trace.logits[0], logits, rtol=1e-10, atol=1e-12)
        expected = torch.tensor(weights, dtype=torch.float64)
        torch.testing.assert_close(trace.attention[0][0][mask], expected, rtol=1e-10, atol=1e-12)


def assert_options(logits, unmasked, options):
    """The probabilities are those of a softmax among the options alone, 0 elsewhere; all is finite."""
    expected = torch.tensor(softmax_among(unmasked.tolist(), options), dtype=torch.float64)
    torch.testing.assert_close(logits.softmax(-1), expected, rtol=1e-10, atol=1e-12)
    assert logits.isfinite().all()


def assert_states(architecture):
    """Every state is the twin's, and 0 where nothing is."""
    model, batch = build(architecture, TWO), example(TWO)
    trace = model(batch)
    for row in range(4):
        mask = batch.mask[row]
        states, _ = encode(model.encoder, trace.embedded[row], mask)
        torch.testing.assert_close(trace.states[row][mask], states, rtol=1e-10, atol=1e-12)
        assert not trace.states[row][~mask].any()
