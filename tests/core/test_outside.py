"""Code outside the package is loaded when it is named, and never because a file on disk names it."""

import sys
from dataclasses import dataclass

import pytest

from holdfast.core.errors import BadSetting
from holdfast.core.files import sha256
from holdfast.core.outside import keep, load, loaded, loaded_in, part_of, reload
from tests.core.outsider import EXPLAINER, forgotten, write_files

HOW = "expected package.module:Class that Python can import, or ./file.py:Class"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    with forgotten():
        monkeypatch.chdir(write_files(tmp_path / "code"))
        yield tmp_path / "code"


@dataclass(frozen=True)
class Here:
    by: int = 1


def test_a_file_has_its_name_and_no_folder_in_the_written_form(folder):
    for written in ("./mine.py:Mine", "mine.py:Mine", f"{folder}/mine.py:Mine"):
        part = load(written)
        assert part.name == "mine.py:Mine"
        assert part.sha256 == sha256(EXPLAINER.encode())
        assert (part.path, part.local) == (folder / "mine.py", False)
    assert not list(folder.rglob("*.pyc")), "nothing is left beside it"


def test_nothing_is_known_before_it_is_kept():
    part = load("./mine.py:Mine")
    assert loaded("mine.py:Mine") is None
    keep(part)
    assert loaded("mine.py:Mine") is part
    assert loaded_in(["attention", "mine.py:Mine,k=3"]) == loaded_in(["aswa+mine.py:Mine"]) == [part]
    assert loaded_in(["mine.py:Miner", "mine.py"]) == []


def test_only_that_file_is_loaded(folder):
    (folder / "helper.py").write_text("N = 3")
    (folder / "uses.py").write_text("import helper")
    with pytest.raises(
        BadSetting,
        match=r"^cannot load uses.py: uses.py line 1 raised ModuleNotFoundError: No module named 'helper'$",
    ):
        load("./uses.py:Mine")


def test_a_changed_file_is_run_again(folder):
    first = load("./mine.py:Mine")
    assert load("./mine.py:Mine").cls is first.cls
    (folder / "mine.py").write_text(EXPLAINER.replace("k: int = 2", "k: int = 5"))
    second = load("./mine.py:Mine")
    assert second.cls().k == 5
    assert second.sha256 != first.sha256


def test_two_files_of_one_name_are_refused_unless_they_are_the_same(folder):
    other = write_files(folder / "other")
    load("./mine.py:Mine")
    assert load("./other/mine.py:Mine").name == "mine.py:Mine"
    (other / "mine.py").write_text(EXPLAINER + "\n")
    with pytest.raises(
        BadSetting, match=r"^there are two files called mine.py with different code: rename one of them$"
    ):
        load("./other/mine.py:Mine")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import os\nnothing_such\n", "line 2 raised NameError: name 'nothing_such' is not defined"),
        ("def f(:\n", "line 1 raised SyntaxError: invalid syntax"),
        ("x = 1\nraise SystemExit('bye')", "line 2 raised SystemExit: bye"),
        ("1 / 0", "line 1 raised ZeroDivisionError: division by zero"),
        ("raise ValueError('a\\x1b[31m')", "line 1 raised ValueError: a\\x1b[31m"),
    ],
)
def test_a_file_that_raises_is_one_sentence(folder, text, said):
    (folder / "bad.py").write_text(text)
    with pytest.raises(BadSetting) as caught:
        load("./bad.py:Mine")
    assert str(caught.value) == f"cannot load bad.py: bad.py {said}"
    assert "bad.py" not in sys.modules


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("./none.py:Mine", f"there is no file 'none.py': {HOW}"),
        ("./mine.py:Yours", "./mine.py:Yours: there is no class 'Yours' in ./mine.py"),
        ("./mine.py:place", "./mine.py:place: expected a class, but 'place' is of type function"),
        ("no.such.module:Mine", f"there is no module 'no.such.module': {HOW}"),
        ("os.nothing:Mine", f"there is no module 'os.nothing': {HOW}"),
    ],
)
def test_what_is_not_there_is_one_sentence(written, said):
    with pytest.raises(BadSetting) as caught:
        load(written)
    assert str(caught.value) == said


def test_a_folder_is_no_file(folder):
    (folder / "dir.py").mkdir()
    with pytest.raises(BadSetting, match=r"^there is no file 'dir.py': "):
        load("./dir.py:Mine")


def test_a_class_of_a_module_is_known_by_it():
    part = part_of(Here)
    assert (part.name, part.local) == ("tests.core.test_outside:Here", False)
    assert part == load("tests.core.test_outside:Here")


def test_a_class_that_cannot_be_imported_is_local():
    @dataclass(frozen=True)
    class Inner:
        by: int = 1

    part = part_of(Inner)
    assert part.local
    assert part.name == "tests.core.test_outside:test_a_class_that_cannot_be_imported_is_local.Inner"
    again = dataclass(frozen=True)(type("Inner", (), {"__module__": "__main__", "__annotations__": {}}))
    assert part_of(again).local
    assert part_of(again).sha256 != part.sha256


def test_a_worker_loads_the_very_same_code(folder):
    part = load("./mine.py:Mine")
    reload(part.name, str(part.path), part.sha256)
    assert loaded(part.name) == part
    (folder / "mine.py").write_text(EXPLAINER + "\n")
    with pytest.raises(
        BadSetting,
        match=r"^the code of mine.py:Mine has changed since the work began: run the same command again$",
    ):
        reload(part.name, str(part.path), part.sha256)
