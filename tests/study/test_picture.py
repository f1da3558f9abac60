import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadSetting
from holdfast.study.picture import (
    Picture,
    largest,
    picture_from_json,
    picture_to_json,
    signed_bytes,
)


def picture(**changes) -> Picture:
    about = {"data": "digits", "model": "deep", "explainer": "lrp", "seed": 0, "row": 3, "label": "1"}
    return Picture(**(about | {"target": "1", "height": 1, "width": 2, "values": (1, -1)} | changes))


@given(st.lists(st.integers(-127, 127), min_size=6, max_size=6))
def test_a_picture_comes_back_from_json(values):
    import json

    one = picture(height=2, width=3, values=tuple(values), repair="aswa", peak=0.25)
    assert picture_from_json(json.loads(json.dumps(picture_to_json(one)))) == one


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_the_largest_value_is_the_scale(values):
    found, largest = signed_bytes(values), max(map(abs, values))
    assert max(map(abs, found)) == (127 if largest else 0)
    for value, byte in zip(values, found, strict=True):
        assert abs(value - byte * largest / 127) <= largest / 254 * 1.0001


def test_what_is_not_finite_is_left_empty():
    assert signed_bytes([float("nan"), float("inf"), 2.0]) == (0, 0, 127)
    assert signed_bytes([0.0, 0.0]) == (0, 0)
    assert largest([float("nan"), float("-inf"), -2.0]) == 2.0
    assert largest([]) == 0.0


def test_a_picture_of_the_wrong_size_is_refused():
    with pytest.raises(BadSetting, match=r"^picture: expected 2 × 3 values, but got 2$"):
        picture(height=2, width=3)
