import pytest

from holdfast.core.records import Edit
from holdfast.measure.probes.even_attention import EvenAttention
from tests.measure.probes.attentive import attentive


def test_naively():
    run, batch = attentive()
    effect = EvenAttention().effect(run, batch)
    share = batch.mask.double() / batch.mask.sum(-1, keepdim=True).clamp(min=1)
    changed = run(batch, Edit(attention=lambda weights, site: share)).logits.softmax(-1)
    plain = run(batch).logits.softmax(-1)
    for row in range(len(batch)):
        guess = int(plain[row].argmax())
        assert float(effect[row]) == pytest.approx(abs(float(changed[row, guess] - plain[row, guess])))
