"""Installed packages offer parts by their entry points, and nothing is loaded to know of them."""

import sys

import pytest

from holdfast.core.plugins import Plugin, plugins
from tests.core.outsider import forgotten, write_package

POINTS = "[holdfast.explainers]\nmine = theirs.mine:Mine\nbroken = theirs.gone:Gone\n"


@pytest.fixture(autouse=True)
def installed(tmp_path, monkeypatch):
    with forgotten():
        monkeypatch.syspath_prepend(write_package(tmp_path, POINTS))
        yield


def test_they_are_found_by_name_and_not_loaded():
    assert list(plugins("explainers")) == ["broken", "mine"]
    assert plugins("explainers")["mine"] == Plugin("mine", "theirs.mine:Mine", "theirs 1.2")
    assert not any(name.startswith("theirs") for name in sys.modules)


def test_other_kinds_have_none():
    assert plugins("repairs") == {}
