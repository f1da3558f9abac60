"""Noise on the embedded text: every number beside a naive one, and what must hold of any model."""

import pytest
import torch
from scipy.spatial.distance import jensenshannon
from torch.func import vmap

from holdfast.core.errors import BadSetting
from holdfast.core.records import Edit
from holdfast.measure.certificate import points
from holdfast.measure.embedding_noise import EmbeddingNoise, noised, noised_family
from holdfast.models.run import Run
from holdfast.train.job import stack
from tests.reference import adversaries
from tests.repair.attacked import CLASSES, WORDS, attacked

RADIUS, STEPS = 0.3, 4


def jsd(a, b):
    return float(jensenshannon(a.tolist(), b.tolist())) ** 2


def by_hand(own, row, norm, way):
    """What one text's attention and prediction do, point by point."""
    one, exists = own.alone(row), own.batch.mask[row]
    embedded, width = own.embedded(row), own.embedded(row).shape[-1]
    wide = exists[:, None].expand(-1, width).flatten()
    clean = own.run(one)
    weights, sure = clean.attention[0][0], clean.logits[0].softmax(-1)
    guess = int(clean.logits[0].argmax())

    def trace(delta):
        return own.run(one, Edit(embedded=embedded[None] + delta.view(1, *embedded.shape)))

    def loss(delta):
        return -trace(delta).logits[0].log_softmax(-1)[guess]

    def divergence(delta):
        other = trace(delta).attention[0][0][exists]
        middle = (other + weights[exists]) / 2
        parts = (weights[exists], other)
        return sum((p * (p / middle).log()).sum() for p in parts) / 2

    def apart(delta):
        moved = trace(delta)
        attention = jsd(weights[exists], moved.attention[0][0][exists])
        prediction = float((moved.logits[0].softmax(-1) - sure).abs().sum()) / 2
        return attention, prediction, float(int(moved.logits[0].argmax()) != guess)

    drawn = points(own.batch)[row].double().tolist()
    starts = [
        torch.tensor(adversaries.inside(*drawn, wide.tolist(), RADIUS, norm, turn), dtype=torch.float64)
        for turn in range(2)
    ]
    if way == "random":
        return [sum(column) / 2 for column in zip(*map(apart, starts), strict=True)]

    def climb(harm):
        def masked(inner):
            return harm(torch.zeros(len(wide), dtype=torch.float64).masked_scatter(wide, inner))

        way = adversaries.ascent(masked, starts[0][wide].tolist(), RADIUS, norm, STEPS, 2.5 * RADIUS / STEPS)
        return [
            torch.zeros(len(wide), dtype=torch.float64).masked_scatter(
                wide, torch.as_tensor(delta, dtype=torch.float64)
            )
            for delta in way
        ]

    far, wrong = [apart(d) for d in climb(divergence)], [apart(d) for d in climb(loss)]
    return [max(x[0] for x in far), max(x[1] for x in wrong), max(x[2] for x in wrong)]


@pytest.mark.parametrize("norm", ["l2", "linf"])
@pytest.mark.parametrize("way", ["random", "worst"])
@pytest.mark.parametrize("task", [WORDS, CLASSES], ids=["two", "three"])
def test_by_hand(task, norm, way):
    own = attacked(task=task)
    asked = EmbeddingNoise(RADIUS, norm, way, draws=2, steps=STEPS)
    found = noised(own.run, own.batch, points(own.batch), asked)
    for row in range(len(own.batch) - 1):  # the last has no word
        expected = by_hand(own, row, norm, way)
        assert [float(values[row]) for values in found] == pytest.approx(expected, rel=1e-4, abs=1e-9)


def test_the_worst_is_worse_than_random_and_grows_with_the_radius():
    own = attacked()
    drawn = points(own.batch)
    random, small, large = (
        noised(own.run, own.batch, drawn, EmbeddingNoise(radius, "l2", way))
        for radius, way in ((0.3, "random"), (0.3, "worst"), (0.6, "worst"))
    )
    for a, b in ((random, small), (small, large)):
        assert (a.attention[:-1] < b.attention[:-1] + 1e-12).all()
        assert (a.prediction[:-1] < b.prediction[:-1] + 1e-12).all()
    assert float(large.attention.mean()) > 2 * float(small.attention.mean())  # JS is quadratic


def test_attention_that_is_the_same_everywhere_does_not_move():
    own = attacked()
    even = {name: 0 * t if name.startswith("pool") else t for name, t in own.run.parameters.items()}
    found = noised(Run(own.run.model, even), own.batch, points(own.batch), EmbeddingNoise(0.5, way="worst"))
    assert float(found.attention.max()) < 1e-12
    assert float(found.prediction.max()) > 1e-3


@pytest.mark.parametrize("way", ["random", "worst"])
def test_padding_neighbours_and_the_family_change_nothing(family, planted, way):
    asked, rows = EmbeddingNoise(0.05, "l2", way), torch.arange(6)
    split = planted.splits["test"]
    whole = noised_family(family, split, rows, asked)
    alone = noised_family(family, split, rows[2:3], asked)
    for a, b in zip(whole, alone, strict=True):
        torch.testing.assert_close(a[:, 2:3], b, rtol=1e-4, atol=1e-10)


def test_mapped_over_members_it_is_the_same():
    runs = [attacked().run, attacked().run]
    batch = attacked().batch
    drawn, asked = points(batch), EmbeddingNoise(0.2, way="worst", steps=3)
    weights = stack([run.parameters for run in runs])
    mapped = vmap(lambda one: noised(Run(runs[0].model, one), batch, drawn, asked), randomness="error")
    for values, plain in zip(mapped(weights), noised(runs[1], batch, drawn, asked), strict=True):
        torch.testing.assert_close(values[1], plain)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"radius": 0.0}, "embedding noise: expected radius above 0, but got 0.0"),
        ({"way": "best"}, "embedding noise: expected way to be random or worst, but got best"),
        ({"draws": 0}, "embedding noise: expected draws of at least 1, but got 0"),
        ({"norm": "l1"}, "embedding noise: expected norm to be l2 or linf, but got l1"),
    ],
)
def test_what_cannot_be_is_refused(settings, said):
    with pytest.raises(BadSetting) as caught:
        EmbeddingNoise(**settings)
    assert str(caught.value) == said
