"""A file is there whole, or as it was before."""

import errno
import json
import os
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core import files
from holdfast.core.errors import BadData, BadRun
from holdfast.core.files import (
    look,
    read_json,
    read_regular,
    read_tensors,
    sha256,
    write,
    write_json,
    write_tensors,
)

TENSORS = {"a": torch.arange(6.0).reshape(2, 3), "b": torch.tensor([True, False]), "c": torch.tensor(3)}
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False)
)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_writing_makes_folders_and_says_the_digest(tmp_path):
    path = tmp_path / "deep" / "er" / "file"
    assert write(path, b"one") == sha256(b"one")
    assert path.read_bytes() == b"one"
    assert write(path, b"two") == sha256(b"two")
    assert path.read_bytes() == b"two"
    assert names(path.parent) == ["file"]


@pytest.mark.parametrize("broken", ["fsync", "replace"])
def test_failing_in_the_middle_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, broken):
    path = tmp_path / "file"
    write(path, b"old")

    def full(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files.os, broken, full)
    with pytest.raises(OSError, match="No space left"):
        write(path, b"new")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["file"]


def test_it_is_synced_before_it_counts(tmp_path, monkeypatch):
    order = []
    for name in ("fsync", "replace"):
        original = getattr(os, name)
        monkeypatch.setattr(
            files.os, name, lambda *a, original=original, name=name: (order.append(name), original(*a))[1]
        )
    write(tmp_path / "file", b"data")
    assert order == ["fsync", "replace", "fsync"], "the bytes, the name, the folder"


@given(st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_json_comes_back_as_it_was(tmp_path_factory, value):
    path = tmp_path_factory.mktemp("json") / "value.json"
    write_json(path, value)
    assert read_json(path) == value


def test_json_is_the_same_bytes_for_the_same_value(tmp_path):
    first = write_json(tmp_path / "a", {"b": 1, "a": "é"})
    second = write_json(tmp_path / "b", {"a": "é", "b": 1})
    assert first == second
    assert "é" in (tmp_path / "a").read_text("utf-8")


def test_json_has_no_room_for_what_is_not_a_number(tmp_path):
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "a", float("nan"))
    assert names(tmp_path) == []


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"nonsense", b'{"a": 1} {}'])
def test_what_is_not_json_is_a_bad_run(tmp_path, content):
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with pytest.raises(BadRun, match=r"a\.json is not readable JSON \(.*\)$"):
        read_json(path)


def test_json_nested_too_deep_is_a_bad_run(tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(b"[" * 100_000 + b"]" * 100_000)
    with pytest.raises(BadRun, match=r"a\.json is not readable JSON \(nested too deep\)$"):
        read_json(path)


@pytest.mark.parametrize(("read", "name"), [(read_json, "a.json"), (read_tensors, "a.safetensors")])
def test_a_pipe_or_a_device_in_a_run_is_refused_and_not_waited_for(tmp_path, read, name):
    os.mkfifo(tmp_path / name)
    with pytest.raises(BadRun, match=rf"{name} is a device or a pipe: expected a file"):
        read(tmp_path / name)
    (tmp_path / name).unlink()
    (tmp_path / name).symlink_to("/dev/zero")
    with pytest.raises(BadRun, match=rf"{name} is a device or a pipe: expected a file"):
        read(tmp_path / name)


@pytest.mark.parametrize(("read", "name"), [(read_json, "a.json"), (read_tensors, "a.safetensors")])
def test_what_is_not_there_is_a_bad_run(tmp_path, read, name):
    with pytest.raises(BadRun, match=rf"{name} does not exist: expected a file$"):
        read(tmp_path / name)
    (tmp_path / name).mkdir()
    with pytest.raises(BadRun, match=rf"{name} is a directory: expected a file$"):
        read(tmp_path / name)


def test_tensors_come_back_as_they_were(tmp_path):
    path = tmp_path / "a.safetensors"
    digest = write_tensors(path, TENSORS, {"about": "this"})
    back = read_tensors(path, digest)
    assert list(back) == ["a", "b", "c"], "by name, whatever order the library gives"
    for name, tensor in TENSORS.items():
        assert back[name].dtype == tensor.dtype
        assert torch.equal(back[name], tensor)


def test_views_and_graphs_are_written_as_plain_numbers(tmp_path):
    whole = torch.arange(6.0, requires_grad=True).reshape(2, 3)
    write_tensors(tmp_path / "a", {"turned": whole.t(), "row": whole.detach()[1]})
    back = read_tensors(tmp_path / "a")
    assert back["turned"].tolist() == [[0, 3], [1, 4], [2, 5]]
    assert back["row"].tolist() == [3, 4, 5]


def test_the_same_tensors_are_the_same_bytes(tmp_path):
    again = dict(reversed(TENSORS.items()))
    assert write_tensors(tmp_path / "a", TENSORS) == write_tensors(tmp_path / "b", again)


@given(st.integers(0, 10**6))
def test_any_flipped_bit_is_seen(tmp_path_factory, place):
    path = tmp_path_factory.mktemp("flip") / "a.safetensors"
    digest = write_tensors(path, TENSORS)
    data = bytearray(path.read_bytes())
    data[place // 8 % len(data)] ^= 1 << place % 8
    path.write_bytes(data)
    with pytest.raises(
        BadRun, match=r"a\.safetensors is damaged: its SHA-256 is not the one that was recorded$"
    ):
        read_tensors(path, digest)


@pytest.mark.parametrize("content", [b"", b"short", b"\x08" + b"\0" * 7 + b"nonsense", b"\xff" * 64])
def test_what_is_no_safetensors_file_is_a_bad_run(tmp_path, content):
    path = tmp_path / "a.safetensors"
    path.write_bytes(content)
    with pytest.raises(BadRun, match=r"a\.safetensors is not a readable safetensors file"):
        read_tensors(path)


def test_a_cut_file_is_a_bad_run(tmp_path):
    path = tmp_path / "a.safetensors"
    write_tensors(path, TENSORS)
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(BadRun, match="is not a readable safetensors file"):
        read_tensors(path)


def test_json_on_disk_is_json(tmp_path):
    write_json(tmp_path / "a", [1])
    assert json.loads((tmp_path / "a").read_bytes()) == [1]


# Only regular files are read


def test_a_regular_file_is_read_up_to_its_limit(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    (tmp_path / "link").symlink_to(path)
    assert read_regular(path, 5) == read_regular(tmp_path / "link", 5) == b"12345"
    with pytest.raises(BadData, match=r"a has 5 bytes: expected a file of at most 4$"):
        read_regular(path, 4)
    with pytest.raises(BadData, match=r"has more bytes than it says: expected a file of at most 1$"):
        read_regular(Path("/proc/self/status"), 1)


@pytest.mark.parametrize(
    ("make", "wanted"),
    [
        (os.mkfifo, r"a is a device or a pipe: expected a file, so copy its data into one$"),
        (lambda path: path.symlink_to("/dev/zero"), r"a is a device or a pipe: expected a file"),
        (os.mkdir, r"a is a directory: expected a file$"),
        (lambda path: path.symlink_to(path), r"cannot read .*a: Too many levels of symbolic links"),
        (lambda path: None, r"a does not exist: expected a file$"),
    ],
)
def test_nothing_else_is_opened(tmp_path, make, wanted):
    path = tmp_path / "a"
    make(path)
    for read in (lambda: read_regular(path, 10), lambda: look(path)):
        with pytest.raises(BadData, match=wanted):
            read()


def test_a_name_too_long_is_shortened(tmp_path):
    with pytest.raises(BadData, match=r"^cannot read .*x…: File name too long: expected a file$") as caught:
        look(tmp_path / ("x" * 5000))
    assert len(str(caught.value)) < 500


def test_a_zero_byte_in_a_name(tmp_path):
    for read in (lambda: look(tmp_path / "a\0b"), lambda: read_regular(tmp_path / "a\0b", 9)):
        with pytest.raises(BadData, match=r"^cannot read .*: embedded null byte: expected a file$"):
            read()
