"""Every modality keeps what the sources rely on."""

from dataclasses import fields

import pytest

from holdfast.core.errors import BadSetting, UnknownName
from holdfast.data.base import Dataset
from holdfast.data.modality import bounded, modalities, modality
from holdfast.data.named_sets import named_sets
from holdfast.data.source import Source


def test_every_option_is_one_of_a_source_and_of_one_modality_alone() -> None:
    """But for the labels, which texts have and tables of features."""
    names = {field.name for field in fields(Source)}
    own = [name for one in modalities().values() for name in {*one.exclusive, *one.settings}]
    assert set(own) <= names
    assert sorted(own) == sorted([*set(own), "label"])


def test_every_modality_has_data_sets_and_endings() -> None:
    for kind, one in modalities().items():
        assert issubclass(one.dataset, Dataset)
        assert one.endings
        assert any(cls.modality == kind for cls in named_sets().values())


def test_a_modality_that_is_not_there() -> None:
    with pytest.raises(UnknownName, match=r"^unknown modality 'images': did you mean 'image'"):
        modality("images")


def test_bounds() -> None:
    bounded("least", None, 1)
    bounded("least", 1, 1)
    with pytest.raises(BadSetting, match=r"^expected least to be at least 1, but got 0$"):
        bounded("least", 0, 1)
