"""One image from a file; whatever is wrong with it is one sentence."""

import contextlib
import io
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import BadData, BadInput, BadSetting
from holdfast.data.image.dataset import ImageDataset
from holdfast.data.image.given import names_images, read_image
from holdfast.data.source import Source, load

ONE = np.arange(64).reshape(8, 8) % 17


@pytest.fixture(scope="module")
def digits() -> ImageDataset:
    return of("digits:limit=60,steps=2")


@cache
def of(name: str) -> ImageDataset:
    found = load(Source(name))
    assert isinstance(found, ImageDataset)
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "one.npy"


@pytest.mark.parametrize("name", ["digits:limit=60,steps=2", "digits-maj:limit=60,steps=4"])
def test_a_test_image_saved_and_read_is_the_test_image(path: Path, name: str) -> None:
    data = of(name)
    split, rows = data.splits["test"], torch.tensor([5])
    wanted = split.batch(rows).inputs
    drawn = data.images("test", rows)[0]
    for image in (drawn * split.top, (drawn * split.top).byte(), drawn, drawn.double()):
        np.save(path, image.numpy())
        found = read_image(path, data)
        assert torch.equal(found.batch(split.steps).inputs, wanted)
        assert torch.allclose(found.pixels, drawn)


@pytest.mark.parametrize(
    ("image", "white"),
    [
        (ONE.astype(np.uint8), 16),
        (ONE.astype(np.int64), 16),
        (ONE.astype(np.float64), 16),
        ((ONE * 15).astype(np.uint8), 255),
        (np.zeros((8, 8), np.uint8), 16),
        (np.zeros((8, 8)), 1),
        (ONE / 16, 1),
        (ONE / 16 + 1e-7, 1),
        (ONE > 8, 1),
        ((ONE / 16).astype(">f4"), 1),
    ],
)
def test_what_is_white(digits: ImageDataset, path: Path, image: np.ndarray[Any, Any], white: int) -> None:
    np.save(path, image)
    found = read_image(path, digits)
    assert found.white == white
    assert torch.allclose(found.pixels, torch.from_numpy(image / np.float64(white)).float(), atol=1e-6)
    inputs = found.batch(2).inputs
    assert inputs.shape == (1, 2, 8, 4)
    assert float(inputs.min()) >= -1
    assert float(inputs.max()) <= 1


def test_one_of_several_on_their_common_scale(digits: ImageDataset, tmp_path: Path) -> None:
    images = np.stack([ONE, ONE * 15]).astype(np.uint8)
    for name, arrays in (("a.npz", {"images": images, "labels": [0, 1]}), ("b.npz", {"whatever": images})):
        np.savez(tmp_path / name, **arrays)  # type: ignore[arg-type]
        for row in (0, 1):
            found = read_image(tmp_path / name, digits, row)
            assert (found.white, found.values.tolist()) == (255, images[row].astype(float).tolist())
    assert torch.equal(read_image(tmp_path / "a.npz", digits).values, torch.from_numpy(images[0]).float())


NAN = np.zeros((3, 8, 8))
NAN[2, 0, 0] = np.nan
WRONG = {
    "another shape": (
        np.zeros((8, 9)),
        r": expected an image of 8 × 8 pixels, as in digits:steps=2,limit=60, or several, \(number, 8, 8\), "
        r"but got shape \(8, 9\)",
    ),
    "another layout": (np.zeros((1, 8, 8, 1)), r"but got shape \(1, 8, 8, 1\)"),
    "a number": (np.float64(3), r"but got shape \(\)"),
    "turned": (np.zeros((8, 8, 2)), r"but got shape \(8, 8, 2\)"),
    "none": (np.zeros((0, 8, 8)), r" holds no image: its shape is \(0, 8, 8\)"),
    "NaN": (NAN, r": expected finite numbers, but image 2 has a NaN or an infinity"),
    "negative": (
        ONE / 8 - 1,
        r": expected numbers from 0 \(background\) to 1, or whole numbers from 0 to 16 or 255, "
        r"but they go from -1 to 1",
    ),
    "negative whole": (ONE - 1, r"but they go from -1 to 15"),
    "too large": (ONE * 100, r"but they go from 0 to 1600"),
    "on no known scale": (ONE + 0.5, r"but they go from 0.5 to 16.5"),
    "words": (np.array([["a"] * 8] * 8), r": expected an image of numbers, but got the type <U1"),
    "complex": (ONE * 1j, r": expected an image of numbers, but got the type complex128"),
}


@pytest.mark.parametrize("name", WRONG)
def test_another_image_is_one_sentence(digits: ImageDataset, path: Path, name: str) -> None:
    image, sentence = WRONG[name]
    np.save(path, image)  # type: ignore[arg-type]
    with pytest.raises(
        BadData, match=rf"^\S*one\.npy{'.*' if sentence.startswith('but') else ''}{sentence}$"
    ):
        read_image(path, digits)


def test_three_side_by_side(path: Path) -> None:
    np.save(path, ONE)
    with pytest.raises(
        BadData, match=r"expected an image of 8 × 24 pixels \(3 side by side\), as in digits-maj"
    ):
        read_image(path, of("digits-maj:limit=60"))


@pytest.mark.parametrize("row", [-1, 3])
def test_rows_that_are_not_there(digits: ImageDataset, path: Path, row: int) -> None:
    np.save(path, np.zeros((3, 8, 8)))
    with pytest.raises(BadSetting, match=rf"^\S*one\.npy: expected --row from 0 to 2, but got {row}$"):
        read_image(path, digits, row)


def test_files_that_are_none(digits: ImageDataset, tmp_path: Path) -> None:
    (tmp_path / "folder.npy").mkdir()
    objects = io.BytesIO()
    np.save(objects, np.array([{}]), allow_pickle=True)
    bodies = {"empty.npy": b"", "text.npz": b"a joy", "objects.npy": objects.getvalue(), "cut.npz": b"PK\3\4"}
    for name, body in bodies.items():
        (tmp_path / name).write_bytes(body)
        with pytest.raises(
            BadData, match=rf"{name} is not a readable NumPy file \(.*\): expected a \.npz or \.npy file with"
        ):
            read_image(tmp_path / name, digits)
    (tmp_path / "one.png").write_bytes(b"")
    for name, sentence in {
        "folder.npy": r"folder\.npy is a directory: expected a \.npz or \.npy file with an image$",
        "nowhere.npz": r"nowhere\.npz does not exist: expected a \.npz or \.npy file with an image$",
        "one.png": r"one\.png: expected a \.npz or \.npy file with an image$",
        "a" * 300 + ".npy": r"aaa\.npy: File name too long: expected a \.npz or \.npy file with an image$",
    }.items():
        with pytest.raises(BadData, match=sentence):
            read_image(tmp_path / name, digits)


@pytest.mark.parametrize(("text", "told"), [("a joy", "a joy"), ("a joy " * 99, "a joy " * 6 + "a jo…")])
def test_a_text_is_no_file(digits: ImageDataset, text: str, told: str) -> None:
    with pytest.raises(BadData) as caught:
        read_image(Path(text), digits)
    assert str(caught.value) == f"expected a .npz or .npy file with an image, but got '{told}'"


def test_archives_without_the_array(digits: ImageDataset, tmp_path: Path) -> None:
    path = tmp_path / "two.npz"
    np.savez(path, a=ONE, b=ONE)
    with pytest.raises(BadData, match=r"two\.npz has no array 'images': it holds a and b$"):
        read_image(path, digits)
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("images", b"no array at all")
    with pytest.raises(BadData, match=r"but 'images' in it is no array: save it with numpy\.savez$"):
        read_image(path, digits)
    zipfile.ZipFile(path, "w").close()
    with pytest.raises(BadData, match=r"has no array 'images': it holds none$"):
        read_image(path, digits)


@given(place=st.floats(0, 1), byte=st.integers(0, 255), cut=st.booleans(), packed=st.sampled_from("yzc"))
def test_damaged_files_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, place: float, byte: int, cut: bool, packed: str
) -> None:
    sink = io.BytesIO()
    if packed == "y":
        np.save(sink, ONE)
    else:
        (np.savez if packed == "z" else np.savez_compressed)(sink, images=ONE)
    body = bytearray(sink.getvalue())
    at = min(int(place * len(body)), len(body) - 1)
    body[at] = byte
    path = tmp_path_factory.getbasetemp() / ("one.npy" if packed == "y" else "one.npz")
    path.write_bytes(body[:at] if cut else body)
    with contextlib.suppress(BadInput):
        assert read_image(path, of("digits:limit=60,steps=2")).batch(2).inputs.isfinite().all()


def test_names_of_files(tmp_path: Path) -> None:
    spaced = tmp_path / "a b.npy"
    assert not names_images(str(spaced))
    spaced.write_bytes(b"")
    assert names_images(str(spaced))
    assert names_images("ONE.NPZ")
    assert not names_images("a joy")
