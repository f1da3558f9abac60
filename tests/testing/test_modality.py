import pytest

from holdfast.core.errors import UnknownName
from holdfast.testing.modality import modality


def test_a_modality_that_is_not_there():
    with pytest.raises(UnknownName, match=r"^unknown modality 'sounds'"):
        modality("sounds")
