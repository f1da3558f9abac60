import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting
from holdfast.data.perturb.noise import Noise
from tests.data.perturb.cases import batch, images


@given(st.floats(0.001, 0.5), st.sampled_from(["linf", "l2"]))
def test_noise_stays_in_its_ball_and_in_range(radius, norm):
    whole = batch(images(), 3)
    inputs = Noise(radius=radius, norm=norm).perturb(whole, images()).batch.inputs
    assert inputs.min() >= -1
    assert inputs.max() <= 1
    for image, old in zip(inputs.double(), whole.inputs.double(), strict=True):
        moved = [float(a - b) for a, b in zip(image.flatten(), old.flatten(), strict=True)]
        length = max(map(abs, moved)) if norm == "linf" else sum(m * m for m in moved) ** 0.5
        assert 0 < length <= radius * (1 + 1e-4)


def test_bad_settings_are_refused():
    with pytest.raises(BadSetting) as caught:
        Noise(radius=0.0)
    assert str(caught.value) == "noise: expected radius to be more than 0, but got 0.0"
    with pytest.raises(BadSetting, match="noise: expected norm to be linf or l2, but got 'l1'"):
        Noise(norm="l1")
