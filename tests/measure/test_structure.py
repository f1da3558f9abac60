import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from holdfast.core.errors import BadSetting
from holdfast.measure.structure import structure
from tests.reference import localisation as reference

PIXELS = st.lists(st.integers(-2, 3), min_size=12, max_size=12)


@given(
    scores=PIXELS,
    ink=st.lists(st.integers(0, 2), min_size=12, max_size=12),
    truth=st.lists(st.booleans(), min_size=3, max_size=3),
)
def test_it_is_the_naive_one(scores, ink, truth):
    maps, drawn = (torch.tensor(pixels).double().view(1, 3, 4) for pixels in (scores, ink))
    measured = structure(maps, drawn, torch.tensor([truth]).double())
    expected = reference.structure(maps[0].tolist(), drawn[0].tolist(), truth)
    assert measured.known.tolist() == [expected is not None]
    assert measured.values.item() == pytest.approx(expected or 0.0)


def test_black_and_white_ink_is_an_area_under_the_curve():
    draw = torch.Generator().manual_seed(0)
    scores, ink = torch.rand(1, 1, 60, generator=draw), (torch.rand(1, 1, 60, generator=draw) > 0.6).float()
    area = roc_auc_score(ink[0, 0].numpy(), scores[0, 0].numpy())
    assert structure(scores, ink).values.item() == pytest.approx(2 * area - 1, abs=1e-6)


def strokes(rows=40, seed=0):
    """Images of three blocks of 7 × 7, each with a random stroke about its centre."""
    draw = torch.Generator().manual_seed(seed)
    at = torch.arange(7.0)
    centre = 3 + torch.randn(rows, 3, 1, generator=draw)
    ink = (1 - (at - centre).abs() / 2).clamp(min=0)[..., None, :].expand(rows, 3, 7, 7)
    return ink.reshape(rows, 3, 49)


def test_planted_maps_are_told_apart():
    ink, truth = strokes(), torch.tensor([1.0, 0.0, 1.0]).expand(40, 3)
    draw = torch.Generator().manual_seed(1)
    drawn, noise, blur = ink * 3, torch.rand(ink.shape, generator=draw), torch.ones_like(ink)
    measured = structure(torch.stack((drawn, noise, blur, drawn * -1)), ink, truth)
    on, chance, flat, against = measured.values.mean(1).tolist()
    assert on == pytest.approx(1.0)
    assert abs(chance) < 0.05
    assert flat == against == 0.0
    assert measured.known.all()


def test_only_the_true_blocks_are_looked_into():
    ink, truth = strokes(), torch.tensor([1.0, 0.0, 1.0]).expand(40, 3)
    spoilt = ink.clone()
    spoilt[:, 1] = 1 - spoilt[:, 1]
    assert torch.allclose(structure(spoilt, ink, truth).values, torch.ones(40))
    assert (structure(spoilt, ink).values < 0.5).all()


def test_a_map_that_knows_only_the_usual_place_gets_nothing_beyond_it():
    ink, other = strokes(400), strokes(400, seed=1)
    average = strokes(400, seed=2).mean(0).expand(400, 3, 49)
    plain = structure(average, ink).values.mean()
    assert plain > 0.3
    assert abs(structure(average, ink, other=other).values.mean()) < 0.05
    assert structure(ink, ink, other=other).values.mean() > 0.4


def test_shuffled_pixels_have_none_on_average():
    ink = strokes(1).view(1, 1, 147)
    draw = torch.Generator().manual_seed(2)
    moved = torch.stack([ink[0, :, torch.randperm(147, generator=draw)] for _ in range(400)])
    values = structure(moved, ink.expand(400, 1, 147)).values
    assert abs(values.mean().item()) < 3 * values.std().item() / 20


def test_blank_images_are_not_known():
    measured = structure(
        torch.rand(2, 3, 4), torch.stack((torch.zeros(12), torch.arange(12.0))).view(2, 3, 4)
    )
    assert measured.known.tolist() == [False, True]
    assert measured.values[0] == 0


def test_wrong_shapes_are_refused():
    message = r"^expected ink of shape \(2, 1, 10\), but got \(2, 10, 1\)$"
    with pytest.raises(BadSetting, match=message):
        structure(torch.rand(2, 1, 10), torch.rand(2, 10, 1))
