"""The notebooks are valid, small, of no machine, and say what comes out when they are run."""

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.notebooks import DOCS, NOTEBOOKS, executed

NAMES = ["your-hugging-face-model", "your-scores", "your-table"]
PLACE = re.compile(r"(?<![\w.<])(?:/(?:home|opt|root|usr|tmp|work|var|mnt|Users)/|[A-Z]:\\\\)")
REGISTRY = re.compile(r"index-url|/simple/|pypi\.|files\.pythonhosted", re.IGNORECASE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
MOST_BYTES = 200_000


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def outputs(notebook: Any) -> list[Any]:
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def said(notebook: Any) -> list[list[str]]:
    """The words of every output: on another processor numbers may differ a little."""
    texts = [
        output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs(notebook)
    ]
    return [re.findall(r"[^\W\d_]{2,}", text) for text in texts]


def test_there_are_three():
    assert [path.stem for path in NOTEBOOKS] == NAMES


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_it_is_valid_small_and_of_no_machine(path):
    nbformat.validate(read(path))
    assert path.stat().st_size < MOST_BYTES
    text = path.read_text("utf-8")
    assert not PLACE.search(text)
    assert not REGISTRY.search(text)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_it_was_run_from_the_first_cell_to_the_last_without_an_error(path):
    notebook = read(path)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.metadata for cell in code)
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    kinds = {(output.output_type, output.get("name", "")) for output in outputs(notebook)}
    assert kinds <= {("stream", "stdout"), ("display_data", ""), ("execute_result", "")}
    assert any('class="holdfast"' in str(output.get("data")) for output in outputs(notebook))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_its_links_lead_somewhere_and_others_lead_to_it(path):
    links = [
        link
        for cell in read(path).cells
        if cell.cell_type == "markdown"
        for link in LINK.findall(cell.source)
    ]
    assert links
    for link in links:
        assert (path.parent / link.partition("#")[0]).is_file(), link
    assert f"docs/notebooks/{path.name}" in (DOCS.parent / "README.md").read_text("utf-8")
    assert f"notebooks/{path.name}" in (DOCS / "README.md").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of the kernel's own parts
@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_it_says_what_comes_out(path, tmp_path):
    assert said(executed(path, tmp_path)) == said(read(path))
