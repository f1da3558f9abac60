"""A file in a layer is a modality; no list has to know of it."""

from pathlib import Path

import pytest

from holdfast.core.modality import modalities

LAYER = """
class Base: ...
"""
FILE = """
from toy_layer.modality import Base

class Helper: ...

class Features(Base):
    many = "features"
"""


@pytest.fixture
def layer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> type:
    home = tmp_path / "toy_layer" / "modalities"
    home.mkdir(parents=True)
    (home / "__init__.py").write_text("")
    (home / "features.py").write_text(FILE)
    (home.parent / "__init__.py").write_text("")
    (home.parent / "modality.py").write_text(LAYER)
    monkeypatch.syspath_prepend(tmp_path)
    from toy_layer.modality import Base

    return Base


def test_a_new_file_is_a_new_modality(layer: type) -> None:
    assert {name: one.many for name, one in modalities(layer).items()} == {"features": "features"}


def test_every_layer_that_wants_a_file_has_one_of_each_modality() -> None:
    from holdfast.data.modality import Modality as OfData
    from holdfast.report.modality import Modality as OfReport
    from holdfast.study.modality import Modality as OfStudy

    kinds = list(modalities(OfData))
    assert kinds == list(modalities(OfStudy)) == ["features", "image", "interaction", "text"]
    brought = {"columns", "scores"}  # by somebody: nothing was trained
    assert [kind for kind in modalities(OfReport) if kind not in brought] == kinds
