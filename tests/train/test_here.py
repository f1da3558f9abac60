"""What workers must load for somebody's own methods, and what is done in this process instead."""

import os
import sys
from dataclasses import dataclass

import pytest

from holdfast.core.admit import admit
from holdfast.core.files import sha256
from holdfast.core.records import Member
from holdfast.study.engine import Engine
from holdfast.train import here
from holdfast.train.fit import Fit
from holdfast.train.here import Here, code_of, only_here
from holdfast.train.job import Job
from holdfast.train.repair import Repair
from tests.core.outsider import EXPLAINER, forgotten, write_files, write_package


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    with forgotten():
        here._origin.cache_clear()
        monkeypatch.chdir(write_files(tmp_path / "code"))
        yield tmp_path / "code"
        here._origin.cache_clear()


@dataclass(frozen=True)
class Slow(Repair):
    """A repair of this module."""

    by: float = 0.5

    def rate(self, epoch, epochs):
        return self.by


@dataclass(frozen=True)
class Wrong(Repair):
    """A repair with a mistake."""

    def rate(self, epoch, epochs):
        return {}["nothing"]


def test_methods_of_the_package_need_nothing():
    assert code_of(["cnn:filters=4", "aswa"]) == []
    assert only_here(["cnn", "none"]) == []


def test_a_file_travels_by_its_place(folder):
    written = admit("explainers", "./mine.py:Mine,k=3")
    assert code_of(["cnn", written]) == [
        ["mine.py:Mine", str(folder / "mine.py"), sha256(EXPLAINER.encode())]
    ]
    assert code_of(["cnn", "gradient"]) == [], "only what a task needs"


def test_an_installed_package_travels_by_its_name(tmp_path, monkeypatch):
    site = write_package(tmp_path / "site", "")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.syspath_prepend(site)
    written = admit("explainers", "theirs.mine:Mine")
    ((name, path, _),) = code_of([written]) or []
    assert (name, path) == ("theirs.mine:Mine", "")


def test_what_only_this_process_finds_stays_here(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(write_package(tmp_path / "site", ""))  # as the folder of a script
    written = admit("explainers", "theirs.mine:Mine")
    assert code_of([written]) is None
    assert only_here(["cnn", written]) == ["theirs.mine:Mine"]


def test_another_package_of_the_same_name_does_not_count(tmp_path, monkeypatch):
    other = write_package(tmp_path / "other", "")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(other), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.syspath_prepend(write_package(tmp_path / "site", ""))
    assert code_of([admit("explainers", "theirs.mine:Mine")]) is None


def test_classes_of_a_function_or_a_program_stay_here(monkeypatch):
    @dataclass(frozen=True)
    class Inner(Repair):
        """No other process has it."""

    written = admit("repairs", Inner())
    assert code_of([f"aswa+{written}"]) is None
    monkeypatch.setattr(sys.modules["__main__"], "Slow", Slow, raising=False)
    monkeypatch.setattr(Slow, "__module__", "__main__")
    assert code_of([admit("repairs", Slow())]) is None


def fitted(planted, folder, repair, workers=1):
    folder.mkdir()
    planted.save(folder / "data.safetensors")
    job = Job(folder, folder / "data.safetensors", "cnn:filters=4,dim=16", repair, Fit(epochs=1))
    with Engine(workers=workers) as engine:
        engine.fit([(job, Member(0)), (job, Member(1))], {})
    return [job.path(Member(seed)).read_bytes() for seed in (0, 1)]


def test_a_worker_and_this_process_give_the_very_same_bits(planted, tmp_path):
    @dataclass(frozen=True)
    class Inner(Slow):
        """The same, where no worker finds it."""

    own = fitted(planted, tmp_path / "here", admit("repairs", Inner()))
    away = fitted(planted, tmp_path / "away", admit("repairs", "./slow.py:Slow"))
    assert own == away
    assert own != fitted(planted, tmp_path / "plain", "none")


def test_a_mistake_in_a_method_is_said_with_its_kind(planted, tmp_path):
    job = Job(tmp_path, tmp_path / "data.safetensors", "average", admit("repairs", Wrong()), Fit(epochs=1))
    planted.save(job.data)
    (_, said), *rest = Here().run([{"do": "fit", "job": job.to_json(), "seed": 0}])
    assert (said["error"], rest) == ("KeyError: 'nothing'", [])
