import itertools

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting
from holdfast.core.records import Edit
from holdfast.data.base import Task
from holdfast.measure.probes.attention_permutation import AttentionPermutation
from holdfast.measure.shuffle import rotated, sources
from holdfast.models.run import Run
from tests.measure.probes.attentive import attentive


def test_every_order_is_equally_likely_in_every_copy():
    mask = torch.tensor([[False, True, True, True]]).expand(6_000, 4)
    for copy, source in enumerate(sources(mask, torch.arange(6_000), 34)):
        if copy in (0, 31, 33):
            orders = [torch.tensor(p) + 1 for p in itertools.permutations(range(3))]
            count = torch.stack([(source[:, 1:] == order).all(-1).sum() for order in orders])
            assert count.sum() == 6_000
            # six cells of 1,000: chi-squared with 5 degrees of freedom is below 20.5 with probability 0.999
            assert ((count - 1000.0) ** 2 / 1000).sum() < 20.5


@given(
    mask=st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=1, max_size=3),
    copies=st.integers(1, 70),
)
def test_windows_are_the_shuffles_one_by_one(mask, copies):
    exists = torch.tensor(mask)
    weights, rows = torch.rand(exists.shape, dtype=torch.double) * exists, torch.arange(len(mask)) * 7
    maps, place = rotated(weights, exists, rows, copies)
    moves = sources(exists, rows, copies)
    assert maps.shape == (len(mask), copies, 5)
    for row, positions in enumerate(mask):
        count = sum(positions)
        assert sorted(place[row].tolist()) == list(range(5))
        for copy in range(copies):
            naive = weights[row][moves[copy, row]]
            assert torch.equal(maps[row, copy, :count], naive[place[row, :count]])


def test_the_mean_over_all_orders_naively():
    run, batch = attentive()
    effect = AttentionPermutation(shuffles=3_000).effect(run, batch)
    for row in range(len(batch)):
        one = batch.take(torch.tensor([row]))
        trace = run(one)
        own, places = trace.attention[0][0], one.mask[0].nonzero()[:, 0]
        plain = trace.logits.softmax(-1)[0]
        changes = []
        for order in itertools.permutations(places.tolist()):
            other = own.clone()
            other[places] = own[list(order)]
            changed = run(one, Edit(attention=lambda weights, site, other=other: other[None])).logits
            changes.append(float((changed.softmax(-1)[0] - plain)[plain.argmax()].abs()))
        assert float(effect[row]) == pytest.approx(sum(changes) / len(changes), rel=0.08, abs=1e-9)


def test_even_weights_cannot_be_shuffled():
    run, batch = attentive()
    zero = {name: torch.zeros_like(run.parameters[name]) for name in run.model.attention_names}
    flat = Run(run.model, run.parameters | zero)
    assert AttentionPermutation(shuffles=5).effect(flat, batch).max() < 1e-12


def test_pairs_are_shuffled_over_the_first_text():
    run, batch = attentive(Task(9, ("no", "yes"), pair=True))
    assert AttentionPermutation(shuffles=5).effect(run, batch)[0] > 0


@pytest.mark.parametrize("shuffles", [0, 10_001])
def test_bad_settings_are_refused(shuffles):
    with pytest.raises(BadSetting, match="attention_permutation: expected shuffles"):
        AttentionPermutation(shuffles=shuffles)
