import gzip
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadData, UnknownName
from holdfast.data.text.vectors import coverage, locate, read_vectors
from tests.reference import text as reference

LINES = ["good 1 2 3", "bad -1 0.5 1e-3", "good 9 9 9", ". . . 4 5 6"]
WORDS = ["<pad>", "<unk>", "bad", "good", "film"]
ROWS = [[0, 0, 0], [0, 0, 0], [-1, 0.5, 1e-3], [1, 2, 3], [0, 0, 0]]


def refused(path: Path, words: list[str] = WORDS) -> str:
    with pytest.raises(BadData) as caught:
        read_vectors(locate(str(path)), words)
    return str(caught.value).replace(str(path), "FILE")


@pytest.mark.parametrize("header", ["", "4 3\n"])
@pytest.mark.parametrize("name", ["a.txt", "a.vec", "a.txt.gz"])
def test_text_files(tmp_path: Path, header: str, name: str) -> None:
    data = (header + "\n".join(LINES) + " \n").encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    rows = read_vectors(locate(str(tmp_path / name)), [*WORDS, ". . ."])
    assert torch.equal(rows, torch.tensor([*ROWS, [4, 5, 6]]))
    assert coverage(rows) == 0.5


def archive(folder: Path, words: list[str], **arrays: np.ndarray) -> Path:
    np.savez(folder / "a.npz", **arrays)
    (folder / "words.txt.gz").write_bytes(gzip.compress("\n".join(words).encode()))
    return folder / "a.npz"


def test_archive(tmp_path: Path) -> None:
    table = np.array([[1, 2, 3], [-1, 0.5, 0.25]], dtype=np.float16)
    rows = read_vectors(locate(str(archive(tmp_path, ["good", "bad"], vectors=table))), WORDS)
    assert rows.dtype == torch.float32
    assert torch.equal(rows, torch.tensor([[0, 0, 0], [0, 0, 0], [-1, 0.5, 0.25], [1, 2, 3], [0, 0, 0]]))


@given(st.lists(st.tuples(st.sampled_from("abcde"), st.floats(-9, 9, width=16)), min_size=1, max_size=9))
def test_rows_are_the_naive_rows(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, float]]
) -> None:
    lines = [f"{word} {number} 1" for word, number in pairs]
    path = tmp_path_factory.mktemp("vectors") / "a.txt"
    path.write_text("\n".join(lines))
    words = ["<pad>", "c", "a", "zzz"]
    assert read_vectors([path], words).tolist() == reference.vectors(lines, words)


def test_bad_text_files(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("good 1 2\nbad 1\n")
    assert refused(path) == "FILE: expected a word and 2 numbers in vector 2, but got something else"
    path.write_text("good 1 2\nbad 1 x\n")
    assert refused(path) == "FILE: expected a word and 2 numbers in vector 2, but got something else"
    path.write_text("good 1 2\nbad 1 nan\n")
    assert refused(path) == "FILE: expected finite numbers, but some vectors hold NaN or infinity"
    for content in ("", "word\n"):
        path.write_text(content)
        assert refused(path) == "FILE: expected lines 'word number number …', but the first has no numbers"
    packed = tmp_path / "a.txt.gz"
    packed.write_bytes(b"no")
    assert re.fullmatch(r"FILE is not a readable gzip file \(.*\)", refused(packed))


def test_bad_archives(tmp_path: Path) -> None:
    path = archive(tmp_path, ["good"], other=np.zeros((1, 2)))
    assert refused(path) == "FILE has no array 'vectors': save it with numpy.savez(…, vectors=…)"
    path = archive(tmp_path, ["good"], vectors=np.zeros((2, 2)))
    assert refused(path) == (
        "FILE: expected one row of numbers for each of the 1 words in words.txt.gz, "
        "but got an array of float64 of shape (2, 2)"
    )
    path = archive(tmp_path, ["good"], vectors=np.full((1, 2), np.nan))
    assert refused(path) == "FILE: expected finite numbers, but some vectors hold NaN or infinity"
    path = archive(tmp_path, ["good"], vectors=np.array([[{}]], dtype=object))
    assert re.fullmatch(
        r"FILE is not a readable NumPy file \(.*allow_pickle=False.*\): expected a .*", refused(path)
    )
    path.write_bytes(b"no")
    assert re.fullmatch(
        r"FILE is not a readable NumPy file \(.*\): expected a \.npz file of word vectors", refused(path)
    )
    (tmp_path / "words.txt.gz").unlink()
    assert (
        refused(path) == f"FILE needs its list of words beside it: expected {tmp_path / 'words.txt'} (or .gz)"
    )


def test_paths_and_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOLDFAST_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert refused(tmp_path) == "FILE is a directory: expected a file of word vectors"
    assert refused(tmp_path / "a.txt") == "FILE does not exist: expected a file of word vectors"
    (tmp_path / "a.bin").write_text("x")
    assert refused(tmp_path / "a.bin") == (
        "FILE: expected word vectors that end in .npz, .txt, .vec, .txt.gz or .vec.gz"
    )
    with pytest.raises(UnknownName, match="did you mean 'glove-100d'"):
        locate("glove-10d")
    with pytest.raises(BadData) as caught:
        locate("glove-100d", tmp_path)
    assert str(caught.value) == (
        "vectors 'glove-100d' need glove-100d/glove_6B_100d_subset_f16.npz or glove-100d/glove.6B.100d.txt "
        "(plain or .gz), published on the GloVe page of the Stanford NLP group "
        f"(nlp.stanford.edu/projects/glove, glove.6B.zip): put the file into {tmp_path} "
        f"(looked in {tmp_path} and {tmp_path / 'cache' / 'holdfast' / 'data'})"
    )
    (tmp_path / "glove-100d").mkdir()
    (tmp_path / "glove-100d" / "glove.6B.100d.txt").write_text("good 1\n")
    assert locate("glove-100d", tmp_path) == [tmp_path / "glove-100d" / "glove.6B.100d.txt"]
