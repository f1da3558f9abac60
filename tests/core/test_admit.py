"""What somebody gave, typed or as an object, has one written form; what is not of the package is loaded."""

import sys
from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from holdfast.core.admit import admit
from holdfast.core.catalogue import canonical, is_known, make
from holdfast.core.compare.jaccard import Jaccard
from holdfast.core.errors import BadSetting, UnknownName
from holdfast.core.settings import name_of
from holdfast.explain.base import Explainer
from holdfast.repair.swa import Swa
from holdfast.train.composed import Composed
from holdfast.train.repair import Repair
from tests.core.outsider import forgotten, write_files, write_package

POINTS = """
[holdfast.explainers]
mine = theirs.mine:Mine
gone = theirs.gone:Gone
wrong = theirs.slow:Slow
attention = theirs.mine:Mine

[holdfast.repairs]
slow = theirs.slow:Slow
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    with forgotten():
        monkeypatch.syspath_prepend(write_package(tmp_path / "site", POINTS))
        monkeypatch.chdir(write_files(tmp_path / "code"))
        yield tmp_path / "code"


@dataclass(frozen=True)
class Late(Repair):
    """A repair of this module."""

    by: float = 0.5
    only: tuple[str, ...] = ("head",)


class Half(Explainer):
    """Not finished."""


class Loose(Repair):
    """No dataclass."""


@dataclass(frozen=True)
class Wide(Repair):
    """A setting that cannot be written."""

    table: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Must(Repair):
    """A setting without a default."""

    by: int


OWN = "tests.core.test_admit"


@pytest.mark.parametrize(
    ("kind", "given", "written"),
    [
        ("comparisons", "jaccard:fraction=.10", "jaccard:fraction=0.1"),
        ("comparisons", Jaccard(fraction=0.1), "jaccard:fraction=0.1"),
        ("explainers", "./mine.py:Mine", "mine.py:Mine"),
        ("explainers", "./mine.py:Mine,k=03", "mine.py:Mine,k=3"),
        ("explainers", " ./mine.py:Mine, k = 2 ", "mine.py:Mine"),
        ("explainers", "theirs.mine:Mine,k=3", "theirs.mine:Mine,k=3"),
        ("explainers", "mine:k=3", "theirs.mine:Mine,k=3"),
        ("repairs", "slow:by=.25+aswa", "theirs.slow:Slow,by=0.25+aswa"),
        ("repairs", "swa:start=0+slow", "swa:start=0.0+theirs.slow:Slow"),
        ("repairs", "swa:start=0+./slow.py:Slow,by=.1", "swa:start=0.0+slow.py:Slow,by=0.1"),
        ("repairs", Late(by=0.25, only=("a", "b")), f"{OWN}:Late,by=0.25,only=a+b"),
        ("repairs", Composed((Late(), Swa(start=0.0))), f"{OWN}:Late+swa:start=0.0"),
        ("explainers", "attention", "attention"),
    ],
)
def test_it_has_one_written_form_that_makes_it(kind, given, written):
    assert admit(kind, given) == written
    assert canonical(kind, written) == written
    assert is_known(kind, written)
    if not isinstance(given, str):
        assert make(kind, written) == given


def test_the_name_of_the_package_comes_first():
    assert name_of(type(make("explainers", admit("explainers", "attention")))) == "attention"
    assert "theirs.mine" not in sys.modules


def test_a_class_of_a_function_is_made_too():
    @dataclass(frozen=True)
    class Inner(Repair):
        by: int = 1

    written = admit("repairs", Inner(by=3))
    assert written == f"{OWN}:test_a_class_of_a_function_is_made_too.Inner,by=3"
    assert make("repairs", written) == Inner(by=3)


def test_a_written_form_by_itself_loads_nothing(folder):
    (folder / "evil.py").write_text("raise SystemExit('loaded')")
    for text in ("./evil.py:X", "evil.py:X", "theirs.mine:Mine", "antigravity:X", "os:Popen", "os.path:join"):
        with pytest.raises(BadSetting, match=r"is not part of holdfast, and code is only loaded when it is"):
            make("explainers", text)
        assert not is_known("explainers", text)
    for text in ("mine", "os:system"):
        with pytest.raises((UnknownName, BadSetting)):
            make("explainers", text)
    assert not {"theirs", "theirs.mine", "antigravity", "evil.py"} & set(sys.modules)


@pytest.mark.parametrize(
    ("kind", "given", "said"),
    [
        (
            "explainers",
            "./slow.py:Slow",
            "slow.py:Slow is not a kind of explainer: expected a subclass of holdfast.explain.base.Explainer",
        ),
        ("explainers", 3, "builtins:int is not a kind of explainer: "),
        (
            "explainers",
            "./mine.py:Mine,kk=1",
            "unknown setting of mine 'kk': did you mean 'k'? (there are: k)",
        ),
        ("explainers", "./mine.py:Mine,k=x", "mine: expected k to be a whole number, but got 'x'"),
        ("explainers", "./mine.py:Mine,x", "expected 'key=value' after './mine.py:Mine:', but got 'x'"),
        (
            "explainers",
            f"{OWN}:Half",
            f"{OWN}:Half: expected a whole explainer, but it lacks scores: write it",
        ),
        (
            "repairs",
            f"{OWN}:Loose",
            f"{OWN}:Loose: expected a frozen dataclass: write @dataclass(frozen=True) above it",
        ),
        ("repairs", Loose(), f"{OWN}:Loose: expected a frozen dataclass: "),
        (
            "repairs",
            Wide({"a": 1}),
            "expected a repair whose settings can be written as key=value, but got "
            f"{OWN}:Wide,table={{'a': 1}}",
        ),
        ("repairs", f"{OWN}:Must", "must: expected a value for by, which has no default: add by=…"),
        (
            "explainers",
            "gone",
            "gone of theirs 1.2 cannot be used: there is no module 'theirs.gone': expected ",
        ),
        ("explainers", "wrong", "wrong of theirs 1.2 cannot be used: theirs.slow:Slow is not a kind of"),
        ("explainers", "mien", "unknown explainer 'mien': did you mean 'mine'? (there are: attention, "),
    ],
)
def test_what_cannot_be_is_one_sentence(kind, given, said):
    with pytest.raises((BadSetting, UnknownName)) as caught:
        admit(kind, given)
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


def test_settings_with_a_promise_are_not_settings():
    @dataclass(frozen=True)
    class Promising(Repair):
        averages: ClassVar[bool] = True

    assert admit("repairs", Promising()).endswith("Promising")
