"""The file says of which kind a data set is."""

from pathlib import Path

import pytest

from holdfast.core.errors import BadRun
from holdfast.core.files import write_tensors
from holdfast.data.saved import pack
from holdfast.data.source import Source, load
from holdfast.data.store import load_dataset


@pytest.mark.parametrize("damage", [b"", b"nothing", None])
def test_files_that_are_no_data_set(tmp_path: Path, damage):
    path = tmp_path / "data.safetensors"
    if damage is not None:
        path.write_bytes(damage)
    with pytest.raises(BadRun):
        load_dataset(path)


@pytest.mark.parametrize("about", ['{"kind": "image"}', '{"kind": "image", "format": 9}', "[]", "{"])
def test_files_of_another_version(tmp_path: Path, about):
    path = tmp_path / "data.safetensors"
    write_tensors(path, {"about": pack(about)})
    with pytest.raises(BadRun, match=r"start over with --fresh|another version"):
        load_dataset(path)


def test_a_text_is_still_a_text(planted, tmp_path: Path):
    planted.save(tmp_path / "data.safetensors")
    assert load_dataset(tmp_path / "data.safetensors").vocabulary == planted.vocabulary


def test_interactions_are_interactions(tmp_path: Path):
    data = load(Source("planted-plays:users=20"))
    data.save(tmp_path / "data.safetensors")
    assert load_dataset(tmp_path / "data.safetensors").task == data.task
