import math
import random

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.draws import generator
from holdfast.core.errors import BadSetting
from holdfast.core.settings import label
from holdfast.data.perturb.noise import Noise
from tests.data.perturb.cases import batch, histories, images, texts

WIDTH = 6
NORMS = st.sampled_from(["linf", "l2"])


def room(batch):
    """Six numbers for each position; the last two are of nothing where the word's number is even."""
    exists = batch.mask[..., None].repeat(1, 1, WIDTH)
    exists[..., 4:] &= (batch.inputs % 2 == 1)[..., None]
    return exists


@given(st.floats(0.001, 0.5), NORMS)
def test_noise_on_pixels_stays_in_its_ball_and_in_range(radius, norm):
    whole = batch(images(), 3)
    noise = Noise(radius=radius, norm=norm)
    inputs = noise.perturb(whole, images()).batch.inputs
    assert inputs.min() >= -1
    assert inputs.max() <= 1
    for image, old in zip(inputs.double(), whole.inputs.double(), strict=True):
        moved = [float(a - b) for a, b in zip(image.flatten(), old.flatten(), strict=True)]
        length = max(map(abs, moved)) if norm == "linf" else sum(m * m for m in moved) ** 0.5
        assert 0 < length <= radius * (1 + 1e-4)
    assert noise.shift(whole, room) is None


def twin(whole, row, radius, norm):
    """The noise of one example, number by number."""
    places = [t for t in range(whole.mask.shape[1]) if whole.mask[row, t]]
    rng = generator(None, "perturb noise", int(whole.rows[row]))
    draw = torch.rand if norm == "linf" else torch.randn
    drawn = draw((len(places), WIDTH), generator=rng).double().tolist()
    moved = {}
    for at, t in enumerate(places):
        for d in range(WIDTH):
            if d < 4 or int(whole.inputs[row, t]) % 2 == 1:
                moved[t, d] = drawn[at][d]
    if norm == "linf":
        return {where: radius * (2 * u - 1) for where, u in moved.items()}
    length = math.sqrt(sum(g * g for g in moved.values()))
    return {where: radius * g / length for where, g in moved.items()}


@given(st.floats(0.001, 5.0), NORMS, st.sampled_from([texts, histories]))
def test_noise_on_vectors_is_that_of_its_twin(radius, norm, data):
    whole = batch(data())
    shift = Noise(radius=radius, norm=norm).shift(whole, room)
    for row in range(len(whole)):
        wanted = twin(whole, row, radius, norm)
        for t in range(shift.shape[1]):
            for d in range(WIDTH):
                assert float(shift[row, t, d]) == pytest.approx(wanted.get((t, d), 0.0), rel=1e-5, abs=1e-7)


@given(NORMS, st.integers(0, 5))
def test_neither_padding_nor_neighbours_change_a_bit(norm, extra):
    noise, split = Noise(norm=norm), texts().splits["test"]
    rows = torch.arange(8)
    narrow, whole = noise.shift(split.batch(rows), room), split.batch(rows, 40 + extra)
    wide = noise.shift(whole, room)
    assert torch.equal(wide[:, : narrow.shape[1]], narrow)
    assert not wide[:, narrow.shape[1] :].any()
    for row in random.Random(extra).sample(range(8), 3):
        alone = noise.shift(split.batch(rows[row : row + 1]), room)
        assert torch.equal(alone[0], narrow[row, : alone.shape[1]])


def test_words_and_items_stay_and_every_position_counts():
    for data in (texts(), histories()):
        whole = batch(data)
        changed = Noise().perturb(whole, data)
        assert torch.equal(changed.batch.inputs, whole.inputs)
        assert torch.equal(changed.batch.mask, whole.mask)
        assert torch.equal(changed.touched, whole.mask)


@pytest.mark.parametrize(
    ("noise", "largest"),
    [(Noise(), 0.01), (Noise(radius=0.2), 0.2), (Noise(norm="l2"), 0.1), (Noise(2.0, "l2"), 2.0)],
)
def test_the_radius_of_vectors(noise, largest):
    shift = noise.shift(batch(texts()), room)
    length = shift.abs().amax((1, 2)) if noise.norm == "linf" else shift.flatten(1).norm(dim=1)
    assert bool((length <= largest * (1 + 1e-5)).all())
    assert bool((length >= 0.8 * largest).all())


def test_bad_settings_are_refused():
    with pytest.raises(BadSetting) as caught:
        Noise(radius=0.0)
    assert str(caught.value) == "noise: expected radius to be a number above 0, but got 0.0"
    with pytest.raises(BadSetting, match="noise: expected radius to be a number above 0, but got inf"):
        Noise(radius=math.inf)
    with pytest.raises(BadSetting, match="noise: expected norm to be linf or l2, but got 'l1'"):
        Noise(norm="l1")
    assert label(Noise()) == "noise"
