"""How a family is trained."""

import pytest

from holdfast.core.errors import BadSetting
from holdfast.train.fit import Fit


@pytest.mark.parametrize("field", ["epochs", "batch", "patience"])
def test_bad_settings_are_named(field):
    with pytest.raises(BadSetting, match=rf"^expected {field} to be 1 or more, but got 0$"):
        Fit(**{field: 0})
    with pytest.raises(BadSetting, match=rf"^expected {field} to be at most [0-9,]+, but got 1,000,000,000$"):
        Fit(**{field: 10**9})
