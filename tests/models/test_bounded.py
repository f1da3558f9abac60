from dataclasses import dataclass

import pytest

from holdfast.core.errors import BadSetting
from holdfast.models.bounded import WIDEST, Bounded


@dataclass(frozen=True)
class Layers(Bounded):
    width: int = 1

    def __post_init__(self):
        self._at_least_one("width")


@pytest.mark.parametrize(
    ("width", "said"), [(0, "at least 1, but got 0"), (WIDEST + 1, "at most 65,536, .*")]
)
def test_a_count_that_cannot_be_built_is_refused(width, said):
    with pytest.raises(BadSetting, match=rf"^layers: expected width to be {said}$"):
        Layers(width)


def test_one_can():
    assert Layers(1).width == 1
