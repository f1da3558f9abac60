"""A repair that needs another, where the catalogue finds it: here, and in every process that is started."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import holdfast.repair
from holdfast.core.catalogue import catalogue

OWN = """
from dataclasses import dataclass

from tests.repair.toys import Student as Toy


@dataclass(frozen=True)
class Student(Toy):
    pass
"""
START = "import holdfast.repair\nholdfast.repair.__path__.append({!r})\n"  # run before anything else


@contextmanager
def students(folder: Path) -> Iterator[None]:
    """Give the package one more file, ``student.py``, for as long as this lasts."""
    files = folder / "files"
    files.mkdir(parents=True)
    (files / "student.py").write_text(OWN)
    (folder / "sitecustomize.py").write_text(START.format(str(files)))
    root = Path(__file__).parents[2]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(holdfast.repair, "__path__", [*holdfast.repair.__path__, str(files)])
        path = os.pathsep.join([str(folder), str(root), os.environ.get("PYTHONPATH", "")])
        patch.setenv("PYTHONPATH", path)
        catalogue.cache_clear()
        try:
            yield
        finally:
            sys.modules.pop("holdfast.repair.student", None)
            vars(holdfast.repair).pop("student", None)
            catalogue.cache_clear()
