"""The public surface: what it offers is there, documented, and nothing else."""

import ast
import importlib
import inspect
import tomllib
from pathlib import Path

import pytest

import holdfast

HOMES = holdfast._HOMES


def test_all_is_what_can_be_had():
    assert sorted(holdfast.__all__) == sorted([*HOMES, "__version__"])
    assert holdfast.__all__ == sorted(holdfast.__all__)
    assert dir(holdfast) == sorted(holdfast.__all__)


@pytest.mark.parametrize("name", HOMES)
def test_every_name_resolves_where_it_lives(name):
    thing = getattr(holdfast, name)
    assert thing is getattr(importlib.import_module(HOMES[name]), name)
    assert thing.__module__ == HOMES[name], f"{name} is written in {thing.__module__}"


@pytest.mark.parametrize("name", HOMES)
def test_every_name_is_documented(name):
    thing = getattr(holdfast, name)
    text = inspect.getdoc(thing)
    assert text
    assert not text.startswith(f"{name}("), "a dataclass's own signature is no description"
    if inspect.isclass(thing):
        for method, value in vars(thing).items():
            if inspect.isfunction(value) and not method.startswith("_"):
                assert value.__doc__, f"{name}.{method} has no docstring"


def test_a_folder_of_the_package_does_not_hide_the_function_of_its_name():
    importlib.import_module("holdfast.explain.gradient")
    assert holdfast.explain is importlib.import_module("holdfast.commands.explain").explain


def test_the_type_checker_sees_the_same_names():
    tree = ast.parse(Path(holdfast.__file__).read_text("utf-8"))
    block = next(
        node for node in tree.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    )
    seen = {alias.name: node.module for node in block.body for alias in node.names}
    assert seen == HOMES


def test_other_names_are_not_there():
    with pytest.raises(AttributeError, match=r"^module 'holdfast' has no attribute 'nonsense'$"):
        _ = holdfast.nonsense


def test_a_star_import_gives_all():
    into: dict[str, object] = {}
    exec("from holdfast import *", into)
    assert into.keys() >= set(holdfast.__all__)


def test_the_version_is_the_packages():
    project = Path(__file__).parents[1] / "pyproject.toml"
    assert holdfast.__version__ == tomllib.loads(project.read_text("utf-8"))["project"]["version"]


def test_the_package_is_typed():
    assert (Path(holdfast.__file__).parent / "py.typed").is_file()
