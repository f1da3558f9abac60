"""A new file is a new name; there is nothing to register."""

import sys

import pytest

import holdfast.repair
from holdfast.core.catalogue import KINDS, catalogue, make
from holdfast.core.errors import UnknownName
from holdfast.repair.naswa import Naswa
from holdfast.train.repair import Repair

NEW = '''
"""A repair in a file of its own."""

from abc import abstractmethod
from dataclasses import dataclass

from holdfast.repair.aswa import Aswa
from holdfast.train.repair import Repair


class Half(Repair):
    @abstractmethod
    def more(self): ...


@dataclass(frozen=True)
class SlowDown(Repair):
    """Learn slower."""

    factor: float = 0.5
'''


@pytest.fixture
def new_file(tmp_path, monkeypatch):
    before = list(catalogue("repairs"))
    (tmp_path / "slow_down.py").write_text(NEW)
    monkeypatch.setattr(holdfast.repair, "__path__", [*holdfast.repair.__path__, str(tmp_path)])
    catalogue.cache_clear()
    yield before
    catalogue.cache_clear()
    sys.modules.pop("holdfast.repair.slow_down", None)


def test_a_class_in_a_new_file_appears(new_file):
    assert list(catalogue("repairs")) == sorted([*new_file, "slow_down"])
    made = make("repairs", "slow_down:factor=0.25")
    assert (type(made).__name__, made.factor) == ("SlowDown", 0.25)


def test_and_goes_with_its_file():
    assert "slow_down" not in catalogue("repairs")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_final_documented_classes(kind):
    found = catalogue(kind)
    assert found
    assert list(found) == sorted(found)
    for cls in found.values():
        assert cls.__doc__
        assert cls.__dataclass_params__.frozen, f"{cls} can be changed"
        cls()


def test_methods_are_found_where_they_are_written():
    assert catalogue("repairs")["naswa"] is Naswa
    assert all(issubclass(cls, Repair) and cls is not Repair for cls in catalogue("repairs").values())


def test_a_kind_may_have_several_packages():
    homes = {cls.__module__.rsplit(".", 1)[0] for cls in catalogue("models").values()}
    assert homes == {f"holdfast.models.{kind}" for kind in ("text", "image", "interaction", "features")}


def test_names_may_be_written_as_in_the_document():
    assert type(make("models", "conv+deep:stationary=true")).__name__ == "ConvPlusDeep"
    assert make("models", "conv+rlstm:dropout=0.5").dropout == 0.5


def test_an_unknown_kind_offers_the_nearest():
    with pytest.raises(UnknownName, match=r"^unknown kind 'repair': did you mean 'repairs'\? "):
        catalogue("repair")


@pytest.mark.parametrize(
    ("kind", "text", "start"),
    [
        (
            "repairs",
            "awsa",
            "unknown repair 'awsa': did you mean 'aswa'? (there are: aswa, attention_at, ",
        ),
        ("models", "bilsm:hidden=4", "unknown model 'bilsm': did you mean 'bilstm'? "),
        ("optimisers", "adma", "unknown optimiser 'adma': did you mean 'adam'? "),
        ("comparisons", "", "unknown comparison '' (there are: "),
    ],
)
def test_an_unknown_name_offers_the_nearest(kind, text, start):
    with pytest.raises(UnknownName) as caught:
        make(kind, text)
    assert str(caught.value).startswith(start)
