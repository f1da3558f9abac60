import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from holdfast.core.errors import BadData
from holdfast.data import arrays
from holdfast.data.arrays import read_arrays
from holdfast.data.source import Source, load
from holdfast.data.text.vectors import read_vectors

HEADER = "{'descr': '|u1', 'fortran_order': False, 'shape': %s, }"


def npy(shape: str, data: bytes = b"\0" * 64) -> bytes:
    """An array whose header says anything."""
    header = (HEADER % shape).encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data


def archive(path: Path, **entries: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in entries.items():
            file.writestr(f"{name}.npy", data)
    return path


def saved(array: np.ndarray) -> bytes:
    sink = io.BytesIO()
    np.save(sink, array)
    return sink.getvalue()


LABELS = saved(np.array([0, 1] * 10))
BAD: dict[str, tuple[bytes, str]] = {
    "no array": (b"hello", r"expected a \.npz file with .*, but 'images' in it is no array: save it with"),
    "a bool in its shape": (npy("(True, 3, 4)"), r"is not a readable NumPy file \(an integer is required\)"),
    "a size below 0": (npy("(-1, 3, 4)"), r"is not a readable NumPy file \(negative dimensions"),
    "a size beyond memory": (npy("(99999999, 999, 999)"), r"is not a readable NumPy file \("),
    "a size that overflows": (npy(f"({2**62}, 4, 1)"), r"is not a readable NumPy file \("),
    "a shape that is none": (npy("'abc'"), r"is not a readable NumPy file \("),
    "objects": (saved(np.array([{}], dtype=object)), r"is not a readable NumPy file \(Object arrays"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_array_of_numbers_is_one_sentence(tmp_path: Path, name: str) -> None:
    data, sentence = BAD[name]
    path = archive(tmp_path / "a.npz", images=data, labels=LABELS)
    with pytest.raises(BadData, match=rf"a\.npz:? {sentence}"):
        load(Source(str(path), steps=2))


def test_vectors_that_are_no_archive(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("a\n")
    path = tmp_path / "v.npz"
    path.write_bytes(saved(np.zeros((1, 2), np.float32)))
    with pytest.raises(BadData, match=r"v\.npz has no array 'vectors': save it with numpy\.savez"):
        read_vectors([path, tmp_path / "words.txt"], ["a"])
    archive(path, vectors=b"hello")
    with pytest.raises(
        BadData, match=r"v\.npz: expected a \.npz file of word vectors, but 'vectors' in it is"
    ):
        read_vectors([path, tmp_path / "words.txt"], ["a"])


def test_what_unpacks_to_too_much_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "WHOLE", 10_000)
    path = archive(tmp_path / "a.npz", images=saved(np.zeros((10, 100, 100), np.uint8)), labels=LABELS)
    with pytest.raises(BadData, match=r"'images' unpacks to 100,128 bytes: expected at most 10,000$"):
        load(Source(str(path), steps=2))


def test_only_what_is_chosen_is_read(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.npz", good=saved(np.arange(3)), bad=b"hello")
    choose: Callable[..., list[str]] = lambda names: ["good"] if names == ["good", "bad"] else []  # noqa: E731
    assert [found.tolist() for found in read_arrays(path, choose, "numbers")] == [[0, 1, 2]]
    (tmp_path / "a.npy").write_bytes(saved(np.arange(2)))
    assert read_arrays(tmp_path / "a.npy", lambda names: names, "numbers")[0].tolist() == [0, 1]
