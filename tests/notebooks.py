"""Runs the notebooks of the documentation; ``python -m tests.notebooks`` keeps what comes out."""

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient

DOCS = Path(__file__).parents[1] / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))
CLEARED = {"text/html": "", "text/plain": ""}
PACKAGES = Path(nbformat.__file__).parents[1]


def executed(path: Path, folder: Path) -> Any:
    """The notebook with what comes out in an empty folder that has the examples where a checkout has them;
    without times, versions, places and progress that is over: the same output is the same file anywhere."""
    shutil.copytree(DOCS / "examples", folder / "examples")
    (folder / "notebooks").mkdir()
    notebook = nbformat.read(path, as_version=4)
    about, where = dict(notebook.metadata), {"metadata": {"path": str(folder / "notebooks")}}
    NotebookClient(
        notebook, timeout=3600, kernel_name="python3", record_timing=False, resources=where
    ).execute()
    notebook.metadata = about
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [_anywhere(one) for one in cell.outputs if one.get("data") != CLEARED]
    return notebook


def _anywhere(output: Any) -> Any:
    """An output that does not say where this machine keeps packages."""
    told = json.dumps(output).replace(f"{PACKAGES}/", "site-packages/")
    return nbformat.from_dict(json.loads(told))


if __name__ == "__main__":
    for path in NOTEBOOKS:
        with TemporaryDirectory() as folder:
            nbformat.write(executed(path, Path(folder)), path)
