"""The default run tries the same examples everywhere, whatever was loaded before."""

import ast
import importlib
import os
import sys
import tempfile
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import fewer

TESTS = Path(__file__).parent


def drawn() -> list[str]:
    tried = []

    @given(st.integers(), st.floats(), st.text())
    def kept(a: int, b: float, c: str) -> None:
        tried.append(repr((a, b, c)))

    kept()
    return tried


def test_the_same_examples_after_other_modules_were_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not settings.default.derandomize:
        pytest.skip("random examples were asked for")
    before = drawn()
    assert len(before) == settings.default.max_examples
    constants = "\n".join(f"x{n} = ({1000 + n}, {n}.25, 'constant {n}')" for n in range(100))
    (tmp_path / "constants.py").write_text(constants)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("constants")
    assert drawn() == before
    del sys.modules["constants"]


def test_the_default_run_depends_on_no_clock_and_keeps_nothing() -> None:
    for name in ("default", "explore"):
        profile = settings.get_profile(name)
        assert (profile.deadline, profile.database) == (None, None)
    assert settings.get_profile("default").derandomize
    assert not settings.get_profile("explore").derandomize


def test_the_profile_says_how_many_examples_there_are() -> None:
    """A number in a test would hold for random exploration too."""
    own = {TESTS / "conftest.py", TESTS / "examples.py"}
    for path in set(TESTS.rglob("*.py")) - own:
        words = {
            node.arg for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.keyword)
        }
        said = words & {"max_examples", "deadline", "derandomize", "database"}
        assert not said, (
            f"{path.relative_to(TESTS.parent)} sets {said}: leave it out, or use tests.examples.fewer"
        )


@pytest.mark.parametrize("again", [1, 2])
def test_what_is_drawn_does_not_depend_on_the_tests_before(again: int) -> None:
    assert torch.equal(torch.rand(3), torch.rand(3, generator=torch.Generator().manual_seed(0)))


def test_nothing_of_the_machine(tmp_path: Path) -> None:
    assert "HOLDFAST_DATA" not in os.environ
    assert os.environ["OMP_NUM_THREADS"] == "1"
    assert torch.get_num_threads() == 1
    for folder in (tempfile.gettempdir(), os.environ["XDG_CACHE_HOME"]):
        assert Path(folder).parent == tmp_path.parent


def test_a_share_of_the_examples() -> None:
    assert fewer(2).max_examples == settings.default.max_examples // 2
    assert fewer(10**9).max_examples == 1
