"""Audits of every modality have their defaults."""

import pytest

from holdfast.core.catalogue import make
from holdfast.core.errors import UnknownName
from holdfast.data.modality import modalities
from holdfast.study.modality import modality


@pytest.mark.parametrize("kind", modalities())
def test_the_defaults_suit_the_data(kind: str) -> None:
    own = modality(kind).defaults
    assert all(kind in make("models", model).reads for model in own.models)
    assert [make("explainers", name) for name in own.explainers]
    assert own.explainers[-1] == "random"
    assert [make("comparisons", name) for name in own.comparisons]


def test_a_modality_that_is_not_there() -> None:
    with pytest.raises(UnknownName, match=r"^unknown modality 'sounds'"):
        modality("sounds")
