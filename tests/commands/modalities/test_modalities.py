"""What each modality answers."""

import pytest

from holdfast.commands.modality import OPTIONS, Request, answer, modality
from holdfast.core.errors import BadSetting
from holdfast.data.modality import modalities
from tests.study.items import dataset, finished
from tests.study.strips import images
from tests.study.tables import audited
from tests.study.tiny import finished as of_texts


def test_every_option_is_of_one_modality():
    """But for the row, of images and of tables."""
    named = [name for kind in modalities() for name in modality(kind).options]
    assert sorted(named) == sorted([*OPTIONS, "row"])


def test_a_text(tmp_path):
    explained = answer(of_texts(), Request("so good", out=tmp_path / "page.html"))
    assert explained.to_json()["tokens"] == ("so", "good")
    assert explained.page.exists()


def test_an_image(tmp_path):
    explained = answer(images(), Request(row=0, out=tmp_path / "page.html"))
    assert explained.to_json()["page"] == str(tmp_path / "page.html")
    assert explained.page.exists()


def test_a_row(tmp_path):
    explained = answer(audited().run, Request(row=0, out=tmp_path / "page.html"))
    assert explained.to_json()["tokens"][0].startswith("age = ")
    assert "column" in str(explained.table(explained.example).renderables[-1].columns[0].header)
    assert explained.page.exists()


def test_a_user(tmp_path):
    explained = answer(finished(), Request(user=dataset().user_name(3), count=2, out=tmp_path / "page.html"))
    assert len(explained.to_json()["recommendations"]) == 2
    assert explained.page.exists()
    with pytest.raises(BadSetting, match=r"^expected one explainer for a user, but got rollout and random$"):
        answer(finished(), Request(user="1", explainers=("rollout", "random")))
